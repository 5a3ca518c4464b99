/* Fourier transforms, eight at a time. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX2

enum { LANES = 8 };
typedef __m256 vf;
#define inline_always static inline __attribute__((always_inline))
#define VARIANT(name) name##__avx2
#define SPLAT(x) _mm256_set1_ps(x)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define FNMA(a, b, c) _mm256_fnmadd_ps(a, b, c)

inline_always vf load(const float *p) { return _mm256_loadu_ps(p); }
inline_always void store(float *p, vf v) { _mm256_storeu_ps(p, v); }
inline_always __m256i first_lanes(int n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline_always vf load_part(const float *p, int n) { return _mm256_maskload_ps(p, first_lanes(n)); }
inline_always void store_part(float *p, vf v, int n) { _mm256_maskstore_ps(p, first_lanes(n), v); }

/* Pairs of rows, pairs of pairs, then the halves. */
inline_always void transpose(vf *v) {
  vf t[8];
  for (int i = 0; i < 8; i += 2) t[i] = _mm256_unpacklo_ps(v[i], v[i + 1]), t[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
  vf u[8];
  for (int i = 0; i < 8; i += 4) {
    for (int h = 0; h < 2; h++) {
      u[i + 2 * h] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0x44);
      u[i + 2 * h + 1] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0xee);
    }
  }
  for (int i = 0; i < 4; i++) {
    v[i] = _mm256_permute2f128_ps(u[i], u[i + 4], 0x20);
    v[i + 4] = _mm256_permute2f128_ps(u[i], u[i + 4], 0x31);
  }
}

#include "../fft_template.h"

CVK_END
#endif
