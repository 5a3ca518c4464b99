/* Element-wise functions with AVX-512. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "elementwise_template.h"
#include "variant.h"
