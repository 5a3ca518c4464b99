/* Element-wise functions with AVX2. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "elementwise_template.h"
#include "variant.h"
