/* Phase correlation with AVX2. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "phase_template.h"
#include "variant.h"
