/* Reductions with AVX-512. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "reduce_template.h"
#include "variant.h"
