/* Transposing, filling and half precision with NEON. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "layout_template.h"
#include "variant.h"
