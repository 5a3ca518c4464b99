/* Sums of products of bytes with AVX-512 but without VNNI. The instruction that multiplies bytes saturates, so bytes
 * are widened: the even and the odd ones of each four apart, which costs a mask and a shift. */
#define VARIANT(name) name##__avx512
enum { MOST_PANELS = 3, MOST_PIXELS = 8, PIXELS_OF_MOST_PANELS = 6, OUTPUTS = 2 };
typedef struct { __m512i even, odd; } activations;
typedef struct { __m512i even, odd; } weights;
#include "../x86/quantised_512.h"

inline_always activations activations_of(vi bytes) {
  return (activations){_mm512_and_si512(bytes, _mm512_set1_epi16(0xFF)), _mm512_srli_epi16(bytes, 8)};
}
inline_always weights weights_of(vi bytes) {
  return (weights){_mm512_srai_epi16(_mm512_slli_epi16(bytes, 8), 8), _mm512_srai_epi16(bytes, 8)};
}
inline_always vi add_products(vi sums, activations a, weights b) {
  return _mm512_add_epi32(_mm512_add_epi32(sums, _mm512_madd_epi16(a.even, b.even)), _mm512_madd_epi16(a.odd, b.odd));
}
