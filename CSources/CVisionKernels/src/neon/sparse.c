/* Sparse pointwise convolutions with NEON. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "sparse_template.h"
#include "variant.h"
