/* Products of feature prints with AVX-512 VNNI, whose instruction multiplies unsigned bytes by signed ones.
 *
 * With q = 128 h + l, -64 <= h <= 63, 0 <= l <= 127, and b + 128 the unsigned form of the byte b, the sum of b q is
 * 128 (sum of (b + 128) h) + (sum of (b + 128) l) - 128 (sum of q). */
#include <string.h>

#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512VNNI

#define inline_always static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")
enum { MOST_COLUMNS = 2048, BYTES = 64, ROWS_AT_ONCE = 4 };

typedef struct {
  int8_t high[MOST_COLUMNS], low[MOST_COLUMNS]; /* zeros behind the columns, up to a whole register */
  uint32_t sum;
} query_bytes;

inline_always __m512i unsigned_bytes(__m512i bytes) { return _mm512_xor_si512(bytes, _mm512_set1_epi8(-128)); }

inline_always void dots_of_rows(int32_t *dst, const int8_t *src, ptrdiff_t src_stride, int rows, int columns,
                                const query_bytes *query) {
  __m512i high[ROWS_AT_ONCE], low[ROWS_AT_ONCE];
  UNROLLED for (int r = 0; r < rows; r++) high[r] = low[r] = _mm512_setzero_si512();
  int x = 0;
  for (; x + BYTES <= columns; x += BYTES) {
    const __m512i h = _mm512_loadu_si512(query->high + x), l = _mm512_loadu_si512(query->low + x);
    UNROLLED for (int r = 0; r < rows; r++) {
      const __m512i bytes = unsigned_bytes(_mm512_loadu_si512(src + r * src_stride + x));
      high[r] = _mm512_dpbusd_epi32(high[r], bytes, h), low[r] = _mm512_dpbusd_epi32(low[r], bytes, l);
    }
  }
  if (x < columns) {
    const __mmask64 mask = ((__mmask64)1 << (columns - x)) - 1;
    const __m512i h = _mm512_loadu_si512(query->high + x), l = _mm512_loadu_si512(query->low + x);
    UNROLLED for (int r = 0; r < rows; r++) {
      const __m512i bytes = unsigned_bytes(_mm512_maskz_loadu_epi8(mask, src + r * src_stride + x));
      high[r] = _mm512_dpbusd_epi32(high[r], bytes, h), low[r] = _mm512_dpbusd_epi32(low[r], bytes, l);
    }
  }
  /* Unsigned, since what is in between may wrap around. */
  UNROLLED for (int r = 0; r < rows; r++)
    dst[r] = (int32_t)(128 * (uint32_t)_mm512_reduce_add_epi32(high[r]) + (uint32_t)_mm512_reduce_add_epi32(low[r]) -
                       128 * query->sum);
}

void cvk_s8_s16_dots__avx512vnni(int32_t *dst, const int8_t *src, ptrdiff_t src_stride, int rows, int columns,
                                 const int16_t *query) {
  query_bytes parts;
  const int whole = (columns + BYTES - 1) / BYTES * BYTES;
  memset(parts.high + columns, 0, (size_t)(whole - columns)), memset(parts.low + columns, 0, (size_t)(whole - columns));
  parts.sum = 0;
  for (int x = 0; x < columns; x++) {
    parts.high[x] = (int8_t)(query[x] >> 7), parts.low[x] = (int8_t)(query[x] & 127);
    parts.sum += (uint32_t)query[x];
  }
  int y = 0;
  for (; y + ROWS_AT_ONCE <= rows; y += ROWS_AT_ONCE)
    dots_of_rows(dst + y, src + y * src_stride, src_stride, ROWS_AT_ONCE, columns, &parts);
  for (; y < rows; y++) dots_of_rows(dst + y, src + y * src_stride, src_stride, 1, columns, &parts);
}

CVK_END
#endif
