/* Image filters with AVX2. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "filters_all.h"
#include "variant.h"
