/* Sums of products of bytes with AVX-512 VNNI: four products and their sum in one instruction. */
#define VARIANT(name) name##__avx512vnni
/* Pixels of a tile that has so many panels: their sums leave room for the weights and one pixel's bytes. */
enum { MOST_PANELS = 4, MOST_PIXELS = 8, PIXELS_OF_MOST_PANELS = 6, OUTPUTS = 4 };
typedef __m512i activations;
typedef __m512i weights;
#include "../x86/quantised_512.h"

inline_always activations activations_of(vi bytes) { return bytes; }
inline_always weights weights_of(vi bytes) { return bytes; }
inline_always vi add_products(vi sums, activations a, weights b) { return _mm512_dpbusd_epi32(sums, a, b); }
