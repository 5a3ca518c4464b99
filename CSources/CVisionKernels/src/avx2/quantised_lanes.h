/* Bytes and their sums in registers of 32 bytes, for the templates of 8-bit networks. The instruction that multiplies bytes
 * saturates, so bytes are widened: the even and the odd ones of each four apart. */
#include <string.h>

#define VARIANT(name) name##__avx2
enum { MOST_PANELS = 1, MOST_PIXELS = 4, PIXELS_OF_MOST_PANELS = 4, OUTPUTS = 2 };
enum { VECTOR_BYTES = 32, PARTS = 2 /* registers of a panel's sums */ };
typedef __m256i vi;
typedef struct { __m256i even, odd; } activations;
typedef struct { __m256i even, odd; } weights;
#define inline_always static inline __attribute__((always_inline))

inline_always activations activations_of(vi bytes) {
  return (activations){_mm256_and_si256(bytes, _mm256_set1_epi16(0xFF)), _mm256_srli_epi16(bytes, 8)};
}
inline_always weights weights_of(vi bytes) {
  return (weights){_mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8), _mm256_srai_epi16(bytes, 8)};
}
inline_always vi add_products(vi sums, activations a, weights b) {
  return _mm256_add_epi32(_mm256_add_epi32(sums, _mm256_madd_epi16(a.even, b.even)), _mm256_madd_epi16(a.odd, b.odd));
}

inline_always vi load_vector(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
inline_always void store_vector(void *p, vi v) { _mm256_storeu_si256((__m256i *)p, v); }
inline_always vi splat_four(uint32_t four) { return _mm256_set1_epi32((int)four); }
inline_always vi no_bytes(void) { return _mm256_setzero_si256(); }

/* The first `count` bytes, zeros behind them. */
inline_always vi load_bytes(const uint8_t *p, int count) {
  if (count >= VECTOR_BYTES) return load_vector(p);
  uint8_t bytes[VECTOR_BYTES] = {0};
  memcpy(bytes, p, (size_t)count);
  return load_vector(bytes);
}

inline_always vi weave_low_8(vi a, vi b) { return _mm256_unpacklo_epi8(a, b); }
inline_always vi weave_high_8(vi a, vi b) { return _mm256_unpackhi_epi8(a, b); }
inline_always vi weave_low_16(vi a, vi b) { return _mm256_unpacklo_epi16(a, b); }
inline_always vi weave_high_16(vi a, vi b) { return _mm256_unpackhi_epi16(a, b); }

struct rounding {
  __m256 most;
  vi zero_point, low;
};
inline_always struct rounding rounding_of(const cvk_q8_output *output) {
  return (struct rounding){_mm256_set1_ps((float)(output->high - output->zero_point)),
                           _mm256_set1_epi16((short)output->zero_point), _mm256_set1_epi8((char)output->low)};
}
inline_always vi rounded(vi sums, const float *scales, const struct rounding *r) {
  __m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_loadu_ps(scales));
  return _mm256_cvtps_epi32(_mm256_min_ps(value, r->most));
}

/* Four registers of rounded sums to bytes: each half of the result has a half of each. */
inline_always vi bytes_of(vi a, vi b, vi c, vi d, const struct rounding *r) {
  vi ab = _mm256_adds_epi16(_mm256_packs_epi32(a, b), r->zero_point);
  vi cd = _mm256_adds_epi16(_mm256_packs_epi32(c, d), r->zero_point);
  return _mm256_max_epu8(_mm256_packus_epi16(ab, cd), r->low);
}
inline_always void store_bytes(uint8_t *dst, vi bytes, int count) {
  if (count >= VECTOR_BYTES) {
    store_vector(dst, bytes);
  } else {
    uint8_t all[VECTOR_BYTES];
    store_vector(all, bytes);
    memcpy(dst, all, (size_t)count);
  }
}

/* The sums of one panel of one pixel, of which `count` channels exist. */
inline_always void store_panels(uint8_t *dst, const vi *sums, int panels, const float *scales, size_t panel_floats,
                                int count, const struct rounding *r) {
  (void)panels, (void)panel_floats;
  vi first = rounded(sums[0], scales, r), second = rounded(sums[1], scales + 8, r);
  vi bytes = bytes_of(first, second, first, second, r); /* fours of channels: 0 2 0 2, 1 3 1 3 */
  bytes = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5));
  if (count >= CVK_Q8_PANEL) {
    _mm_storeu_si128((__m128i *)(void *)dst, _mm256_castsi256_si128(bytes));
  } else {
    store_bytes(dst, bytes, count);
  }
}

/* The same as floats, unrounded. */
inline_always void store_floats(float *dst, const vi *sums, int panels, const float *scales, size_t panel_floats, int count) {
  (void)panels, (void)panel_floats;
  for (int part = 0; part < PARTS; part++) {
    int left = count - 8 * part;
    if (left <= 0) return;
    __m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps(sums[part]), _mm256_loadu_ps(scales + 8 * part));
    __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    _mm256_maskstore_ps(dst + 8 * part, _mm256_cmpgt_epi32(_mm256_set1_epi32(left), place), value);
  }
}
