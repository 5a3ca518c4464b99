/* Depthwise convolutions of bytes with AVX2. */
#include "quantised.h"

#define CVK_LANES "quantised_lanes.h"
#define CVK_TEMPLATE "x86/quantised_depthwise_template.h"
#include "variant.h"
