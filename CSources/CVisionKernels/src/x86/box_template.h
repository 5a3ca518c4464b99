/* Means of rows by running sums for 256- and 512-bit vectors: see vector.h. Each vector sums up the changes of its
 * pixels, so that the sums of the next one wait for one addition only. */
#include "vector.h"

enum { CHANNELS = 4, AHEAD = V_PIXELS / CHANNELS /* pixels in a vector */ };

/* The sums of each pixel and those before it in the vector. */
static inline __attribute__((always_inline)) vec sum_up(vec v) {
#if CVK_VECTOR_BITS == 256
  return _mm256_add_epi32(v, _mm256_permute2x128_si256(v, v, 0x08));
#else
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, V_ZERO(), 12));
  return _mm512_add_epi32(v, _mm512_alignr_epi32(v, V_ZERO(), 8));
#endif
}

/* The last pixel everywhere. */
static inline __attribute__((always_inline)) vec last_pixel(vec v) {
#if CVK_VECTOR_BITS == 256
  return _mm256_permute2x128_si256(v, v, 0x11);
#else
  return _mm512_shuffle_i32x4(v, v, 0xFF);
#endif
}

void VARIANT(cvk_i32_box_row_c4)(uint8_t *dst, const int32_t *src, int width, int taps, float scale) {
  const int32_t *last = src + CHANNELS * (ptrdiff_t)(taps - 1);
  const __m128 factor = _mm_set1_ps(scale);
  /* The sum of the pixels before the one at x, which takes in another one with each. */
  __m128i before = _mm_setzero_si128();
  for (int k = 0; k < taps - 1; k++)
    before = _mm_add_epi32(before, _mm_loadu_si128((const __m128i *)(src + CHANNELS * k)));
  int x = 0;
#define ONE_PIXEL(x) \
  do { \
    const __m128i sum = _mm_add_epi32(before, _mm_loadu_si128((const __m128i *)(last + CHANNELS * (x)))); \
    const __m128i mean = _mm_cvtps_epi32(_mm_mul_ps(_mm_cvtepi32_ps(sum), factor)); \
    const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(_mm_packs_epi32(mean, mean), mean)); \
    memcpy(dst + CHANNELS * (ptrdiff_t)(x), &bytes, 4); \
    before = _mm_sub_epi32(sum, _mm_loadu_si128((const __m128i *)(src + CHANNELS * (x)))); \
  } while (0)
  if (width > 4 * AHEAD) {
    vec sum = V_LANES(before);
    const vecf factors = VOP(set1_ps)(scale);
    for (; x + 4 * AHEAD <= width; x += 4 * AHEAD) {
      vec mean[4];
      for (int n = 0; n < 4; n++) {
        const ptrdiff_t at = CHANNELS * (ptrdiff_t)(x + n * AHEAD);
        const vec added = V_LOAD(last + at), removed = V_LOAD(src + at);
        /* What leaves goes after the pixel that it was the first of. */
        const vec change = sum_up(VOP(sub_epi32)(added, removed));
        const vec sums = VOP(add_epi32)(VOP(add_epi32)(sum, change), removed);
        mean[n] = VOP(cvtps_epi32)(VOP(mul_ps)(VOP(cvtepi32_ps)(sums), factors));
        sum = VOP(add_epi32)(sum, last_pixel(change));
      }
      V_STORE(dst + CHANNELS * (ptrdiff_t)x, v_pack_32_to_8(mean[0], mean[1], mean[2], mean[3]));
    }
#if CVK_VECTOR_BITS == 256
    before = _mm256_castsi256_si128(sum);
#else
    before = _mm512_castsi512_si128(sum);
#endif
  }
  for (; x < width; x++) ONE_PIXEL(x);
#undef ONE_PIXEL
}
