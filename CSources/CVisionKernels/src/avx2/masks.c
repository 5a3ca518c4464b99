/* The guided filter with AVX2. */
#define CVK_TEMPLATE "masks_template.h"
#include "variant.h"
