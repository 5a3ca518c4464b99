/* Pooling with NEON. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "pooling_template.h"
#include "variant.h"
