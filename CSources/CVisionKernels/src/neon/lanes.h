/* Vectors of four floats (NEON), for the templates that all instruction sets share. Include after the
 * instruction set is switched on. */
enum { LANES = 4 };
typedef float32x4_t vf;
#define inline_always static inline __attribute__((always_inline))
#define VARIANT(name) name##__neon
#define SPLAT(x) vdupq_n_f32(x)
#define FMA(a, b, c) vfmaq_f32(c, a, b)
#define FNMA(a, b, c) vfmsq_f32(c, a, b)

inline_always vf load(const float *p) { return vld1q_f32(p); }
inline_always void store(float *p, vf v) { vst1q_f32(p, v); }
inline_always vf load_part(const float *p, int n) {
  float lanes[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; i++) lanes[i] = p[i];
  return vld1q_f32(lanes);
}
inline_always void store_part(float *p, vf v, int n) {
  float lanes[4];
  vst1q_f32(lanes, v);
  for (int i = 0; i < n; i++) p[i] = lanes[i];
}
inline_always void transpose(vf *v) {
  float32x4x2_t a = vtrnq_f32(v[0], v[1]), b = vtrnq_f32(v[2], v[3]);
  v[0] = vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
  v[1] = vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
  v[2] = vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
  v[3] = vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}
inline_always vf keep_part(vf v, int n) {
  float lanes[4];
  vst1q_f32(lanes, v);
  for (int i = n; i < 4; i++) lanes[i] = 0;
  return vld1q_f32(lanes);
}
inline_always vf load_bytes_part(const uint8_t *p, int n) {
  float lanes[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; i++) lanes[i] = p[i];
  return vld1q_f32(lanes);
}
inline_always vf load_bytes(const uint8_t *p) { return load_bytes_part(p, 4); }
inline_always vf larger(vf a, vf b) { return vmaxq_f32(a, b); }
inline_always float largest_lane(vf v) { return vmaxvq_f32(v); }
inline_always float sum_of_lanes(vf v) { return vaddvq_f32(v); }
inline_always vf reciprocal_root(vf v) { return vdivq_f32(vdupq_n_f32(1), vsqrtq_f32(v)); }
