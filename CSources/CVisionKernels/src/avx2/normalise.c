/* Softmax and normalisation with AVX2. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "normalise_template.h"
#include "variant.h"
