/* Depthwise convolution with AVX2. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "depthwise_template.h"
#include "variant.h"
