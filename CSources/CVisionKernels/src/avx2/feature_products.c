/* Products of descriptions of features with AVX2. */
#define CVK_TEMPLATE "x86/feature_products_template.h"
#include "variant.h"
