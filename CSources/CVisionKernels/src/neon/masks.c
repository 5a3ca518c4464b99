/* The guided filter with NEON. */
#define CVK_TEMPLATE "masks_template.h"
#include "variant.h"
