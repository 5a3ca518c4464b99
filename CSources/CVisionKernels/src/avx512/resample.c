/* Resizing with tables of taps with AVX-512. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "resample_template.h"
#include "variant.h"
