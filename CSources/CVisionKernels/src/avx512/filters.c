/* Image filters with AVX-512: those that gain from it. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "filters_template.h"
#include "variant.h"
