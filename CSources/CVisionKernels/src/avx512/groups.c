/* Convolutions in groups with AVX-512. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "groups_template.h"
#include "variant.h"
