/* Vectors of one float: plain C, for the templates that all instruction sets share. Include after the
 * instruction set is switched on. */
enum { LANES = 1 };
typedef float vf;
#define inline_always static inline
#define VARIANT(name) name##__scalar
#define SPLAT(x) ((vf)(x))
#define FMA(a, b, c) ((a) * (b) + (c))
#define FNMA(a, b, c) ((c) - (a) * (b))

inline_always vf load(const float *p) { return *p; }
inline_always void store(float *p, vf v) { *p = v; }
inline_always vf load_part(const float *p, int n) { return n > 0 ? *p : 0; }
inline_always void store_part(float *p, vf v, int n) {
  if (n > 0) *p = v;
}
inline_always void transpose(vf *v) { (void)v; }
inline_always vf keep_part(vf v, int n) { return n > 0 ? v : 0; }
inline_always vf load_bytes(const uint8_t *p) { return (float)*p; }
inline_always vf load_bytes_part(const uint8_t *p, int n) { return n > 0 ? (float)*p : 0; }
inline_always vf larger(vf a, vf b) { return a > b ? a : b; }
inline_always float largest_lane(vf v) { return v; }
inline_always float sum_of_lanes(vf v) { return v; }
inline_always vf reciprocal_root(vf v) { return 1 / __builtin_sqrtf(v); }
