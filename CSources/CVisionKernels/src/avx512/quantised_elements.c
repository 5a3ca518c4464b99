/* Element-wise operations and pooling of 8-bit networks, with AVX-512. */
#define CVK_TEMPLATE "quantised_elements_template.h"
#include "variant.h"

#if CVK_X86

CVK_BEGIN_AVX512

/* The upper four bits of a byte choose one of 16 tables, the lower four its element. */
void cvk_u8_lookup__avx512(uint8_t *dst, const uint8_t *src, size_t count, const uint8_t *values) {
  __m512i tables[16];
  for (int i = 0; i < 16; i++)
    tables[i] = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(values + 16 * i)));
  const __m512i low = _mm512_set1_epi8(15), high = _mm512_set1_epi8((char)0xF0);
  for (size_t done = 0; done < count; done += 64) {
    const __mmask64 mask = count - done >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << (count - done)) - 1;
    const __m512i bytes = _mm512_maskz_loadu_epi8(mask, src + done);
    const __m512i element = _mm512_and_si512(bytes, low), table = _mm512_and_si512(bytes, high);
    __m512i result = _mm512_shuffle_epi8(tables[0], element);
    _Pragma("clang loop unroll(full)") for (int i = 1; i < 16; i++) {
      __mmask64 is_here = _mm512_cmpeq_epi8_mask(table, _mm512_set1_epi8((char)(16 * i)));
      result = _mm512_mask_shuffle_epi8(result, is_here, tables[i], element);
    }
    _mm512_mask_storeu_epi8(dst + done, mask, result);
  }
}

CVK_END
#endif
