/* Element-wise operations and pooling of 8-bit networks, with AVX-512. */
#define CVK_TEMPLATE "quantised_elements_template.h"
#include "variant.h"
