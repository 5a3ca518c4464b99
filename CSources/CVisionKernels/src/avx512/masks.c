/* The guided filter with AVX-512. */
#define CVK_TEMPLATE "masks_template.h"
#include "variant.h"
