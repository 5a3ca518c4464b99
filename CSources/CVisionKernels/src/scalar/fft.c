/* Fourier transforms, one at a time: the reference of the other variants. */
#include "../internal.h"

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

#include "../fft_template.h"
