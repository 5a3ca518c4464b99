/* Bytes and their sums in registers of 32 bytes, for the templates of 8-bit networks. The instruction that multiplies
 * bytes saturates, so bytes are widened: the even and the odd ones of each four apart. */
#include <string.h>

#define VARIANT(name) name##__avx2
enum { MOST_PANELS = 1, MOST_PIXELS = 4, PIXELS_OF_MOST_PANELS = 4, OUTPUTS = 2 };
enum { VECTOR_BYTES = 32, PARTS = 2 /* registers of a panel's sums */ };
typedef __m256i vi;
typedef struct { __m256i even, odd; } activations;
typedef struct { __m256i even, odd; } weights;
#define UNROLLED _Pragma("clang loop unroll(full)") /* or arrays would not become registers */
#define PIN(v) __asm__ volatile("" : "+x"(v)) /* computed here, and in a register */
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


/* Pixels of few channels do not share a register here. */
enum { PAIRS = 0 };
inline_always vi load_pair(const uint8_t *first, const uint8_t *second, int count) {
  (void)second;
  return load_bytes(first, count);
}

#define Q8(name) _mm256_##name
#include "../x86/quantised_rounding.h"

inline_always void store_bytes(uint8_t *dst, vi bytes, int count) {
  if (count >= VECTOR_BYTES) {
    store_vector(dst, bytes);
  } else {
    uint8_t all[VECTOR_BYTES];
    store_vector(all, bytes);
    memcpy(dst, all, (size_t)count);
  }
}

inline_always void store_pair(uint8_t *first, uint8_t *second, vi bytes, int count) {
  (void)second;
  store_bytes(first, bytes, count);
}

/* The sums of `m` pixels, a constant, x one panel, of which `count` channels exist: two pixels share a register of
 * bytes. */
inline_always void store_tile(uint8_t *dst, ptrdiff_t pixel, vi sums[][MOST_PANELS * PARTS], const int m, const int n,
                              const float *scales, size_t panel_floats, int count, const struct rounding *r) {
  (void)n, (void)panel_floats;
  UNROLLED for (int i = 0; i < m; i += 2, dst += 2 * pixel) {
    int other = i + 1 < m ? i + 1 : i;
    vi bytes = bytes_of(rounded(sums[i][0], scales), rounded(sums[i][1], scales + 8), rounded(sums[other][0], scales),
                        rounded(sums[other][1], scales + 8), r);
    bytes = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    if (count >= CVK_Q8_PANEL) {
      _mm_storeu_si128((__m128i *)(void *)dst, _mm256_castsi256_si128(bytes));
      if (i + 1 < m) _mm_storeu_si128((__m128i *)(void *)(dst + pixel), _mm256_extracti128_si256(bytes, 1));
    } else {
      uint8_t both[VECTOR_BYTES];
      store_vector(both, bytes);
      memcpy(dst, both, (size_t)count);
      if (i + 1 < m) memcpy(dst + pixel, both + CVK_Q8_PANEL, (size_t)count);
    }
  }
}

/* The same as floats, unrounded. */
inline_always void store_floats(float *dst, const vi *sums, int panels, const float *scales, size_t panel_floats,
                                int count) {
  (void)panels, (void)panel_floats;
  for (int part = 0; part < PARTS; part++) {
    int left = count - 8 * part;
    if (left <= 0) return;
    __m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps(sums[part]), _mm256_loadu_ps(scales + 8 * part));
    __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    _mm256_maskstore_ps(dst + 8 * part, _mm256_cmpgt_epi32(_mm256_set1_epi32(left), index), value);
  }
}
