/* Products of descriptions of features. */
#include <string.h>

#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX2

#define inline_always static inline __attribute__((always_inline))
#define VARIANT(name) name##__avx2
enum { LANES = 8 };
typedef __m256i whole;
inline_always whole nothing(void) { return _mm256_setzero_si256(); }
inline_always whole load(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
inline_always whole every(int32_t bytes) { return _mm256_set1_epi32(bytes); }
inline_always void store(int32_t *p, whole v) { _mm256_storeu_si256((__m256i *)(void *)p, v); }
/* Bytes up to 127 make sums of two products that fit into 16 bits. */
inline_always whole add_products(whole sums, whole a, whole b) {
  return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1)));
}

#include "../x86/feature_products_template.h"

CVK_END
#endif
