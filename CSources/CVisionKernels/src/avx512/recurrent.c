/* Steps of recurrent layers with AVX-512. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "recurrent_template.h"
#include "variant.h"
