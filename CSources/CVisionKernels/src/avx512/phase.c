/* Phase correlation with AVX-512. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "phase_template.h"
#include "variant.h"
