/* Sparse pointwise convolutions with AVX2. */
#define CVK_LANES "network_lanes.h"
#define CVK_TEMPLATE "sparse_template.h"
#include "variant.h"
