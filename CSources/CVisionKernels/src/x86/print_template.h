/* Products of bytes with 16-bit numbers, the bytes widened: pairs of products are summed in one instruction. */

#include "../print_template.h"

enum { ROWS_AT_ONCE = 4 }; /* they share what is loaded of the query */

#if CVK_VECTOR_BITS == 512
typedef __m512i products;
enum { NUMBERS = 32 };
inline_always products no_products(void) { return _mm512_setzero_si512(); }
inline_always products load_numbers(const int16_t *p) { return _mm512_loadu_si512(p); }
inline_always products add_products(products sum, const int8_t *p, products numbers) {
  const __m512i wide = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)p));
  return _mm512_add_epi32(sum, _mm512_madd_epi16(wide, numbers));
}
inline_always int32_t sum_of_products(products sum) { return _mm512_reduce_add_epi32(sum); }
#else
typedef __m256i products;
enum { NUMBERS = 16 };
inline_always products no_products(void) { return _mm256_setzero_si256(); }
inline_always products load_numbers(const int16_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
inline_always products add_products(products sum, const int8_t *p, products numbers) {
  const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)p));
  return _mm256_add_epi32(sum, _mm256_madd_epi16(wide, numbers));
}
inline_always int32_t sum_of_products(products sum) {
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1)));
}
#endif

inline_always void dots_of_rows(int32_t *dst, const int8_t *src, ptrdiff_t src_stride, int rows, int columns,
                                const int16_t *query) {
  products sums[ROWS_AT_ONCE];
  UNROLLED for (int r = 0; r < rows; r++) sums[r] = no_products();
  int x = 0;
  for (; x + NUMBERS <= columns; x += NUMBERS) {
    const products numbers = load_numbers(query + x);
    UNROLLED for (int r = 0; r < rows; r++) sums[r] = add_products(sums[r], src + r * src_stride + x, numbers);
  }
  UNROLLED for (int r = 0; r < rows; r++) {
    int32_t sum = sum_of_products(sums[r]);
    for (int rest = x; rest < columns; rest++) sum += src[r * src_stride + rest] * query[rest];
    dst[r] = sum;
  }
}

void VARIANT(cvk_s8_s16_dots)(int32_t *dst, const int8_t *src, ptrdiff_t src_stride, int rows, int columns,
                              const int16_t *query) {
  int y = 0;
  for (; y + ROWS_AT_ONCE <= rows; y += ROWS_AT_ONCE)
    dots_of_rows(dst + y, src + y * src_stride, src_stride, ROWS_AT_ONCE, columns, query);
  for (; y < rows; y++) dots_of_rows(dst + y, src + y * src_stride, src_stride, 1, columns, query);
}
