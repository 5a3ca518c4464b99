/* Steps of recurrent layers with NEON. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "recurrent_template.h"
#include "variant.h"
