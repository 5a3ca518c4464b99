/* The passes of resizing: the text that both widths share is in x86/resize_template.h. */
#include "internal.h"

#if CVK_X86

#include <immintrin.h>

CVK_BEGIN_AVX2

#define CVK_VECTOR_BITS 256
#define VARIANT(name) name##__avx2
#include "../x86/resize_template.h"

/* Four floats at p, and at q. */
static inline __attribute__((always_inline)) __m256 four_and_four(const float *p, const float *q) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(q), 1);
}

/* Eight outputs: four taps of each are multiplied, transposed, and added tap by tap as the reference does it. */
void cvk_f32_resize_row__avx2(float *dst, const float *src, int width, const int32_t *firsts, const int32_t *counts,
                              const float *weights, int taps) {
  if (width < 8 || taps % 4 != 0) {
    cvk_f32_resize_row__scalar(dst, src, width, firsts, counts, weights, taps);
    return;
  }
  const __m256i ramp = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
  EACH_BLOCK(x, width, 8) {
    const __m256i count = _mm256_loadu_si256((const __m256i *)(counts + x));
    const __m256i each[4] = {_mm256_shuffle_epi32(count, 0x00), _mm256_shuffle_epi32(count, 0x55),
                             _mm256_shuffle_epi32(count, 0xAA), _mm256_shuffle_epi32(count, 0xFF)};
    int most = 0;
    for (int i = 0; i < 8; i++) most = counts[x + i] > most ? counts[x + i] : most;
    __m256 sum = _mm256_setzero_ps();
    for (int k = 0; k < most; k += 4) {
      const __m256i indices = _mm256_add_epi32(ramp, _mm256_set1_epi32(k));
      __m256 t[4];
      for (int i = 0; i < 4; i++) {
        const float *factors = weights + (ptrdiff_t)(x + i) * taps + k;
        t[i] = _mm256_mul_ps(four_and_four(src + firsts[x + i] + k, src + firsts[x + i + 4] + k),
                             four_and_four(factors, factors + 4 * (ptrdiff_t)taps));
        /* What lies behind the taps counts as zero: it may be infinite. */
        t[i] = _mm256_and_ps(t[i], _mm256_castsi256_ps(_mm256_cmpgt_epi32(each[i], indices)));
      }
      __m256 a = _mm256_unpacklo_ps(t[0], t[1]), b = _mm256_unpackhi_ps(t[0], t[1]);
      __m256 c = _mm256_unpacklo_ps(t[2], t[3]), d = _mm256_unpackhi_ps(t[2], t[3]);
      sum = _mm256_add_ps(sum, _mm256_shuffle_ps(a, c, 0x44));
      sum = _mm256_add_ps(sum, _mm256_shuffle_ps(a, c, 0xEE));
      sum = _mm256_add_ps(sum, _mm256_shuffle_ps(b, d, 0x44));
      sum = _mm256_add_ps(sum, _mm256_shuffle_ps(b, d, 0xEE));
    }
    _mm256_storeu_ps(dst + x, sum);
  }
}

CVK_END

#endif
