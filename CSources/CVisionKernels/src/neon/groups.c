/* Convolutions in groups with NEON. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "groups_template.h"
#include "variant.h"
