/* Softmax and normalisation with AVX-512. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "normalise_template.h"
#include "variant.h"
