/* Products of descriptions of features with AVX-512 VNNI. One factor counts as signed, which makes no difference up to
 * 127. */
#define ADD_PRODUCTS(sums, a, b) _mm512_dpbusd_epi32(sums, a, b)
#define CVK_TEMPLATE "x86/feature_products_template.h"
#include "variant.h"
