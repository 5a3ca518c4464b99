/* Products of descriptions of features with AVX-512 VNNI. */
#include <string.h>

#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512VNNI

#define inline_always static inline __attribute__((always_inline))
#define VARIANT(name) name##__avx512vnni
enum { LANES = 16 };
typedef __m512i whole;
inline_always whole nothing(void) { return _mm512_setzero_si512(); }
inline_always whole load(const uint8_t *p) { return _mm512_loadu_si512(p); }
inline_always whole every(int32_t bytes) { return _mm512_set1_epi32(bytes); }
inline_always void store(int32_t *p, whole v) { _mm512_storeu_si512(p, v); }
/* One factor counts as signed, which makes no difference up to 127. */
inline_always whole add_products(whole sums, whole a, whole b) { return _mm512_dpbusd_epi32(sums, a, b); }

#include "../x86/feature_products_template.h"

CVK_END
#endif
