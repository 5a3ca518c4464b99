/* Convolutions of bytes with AVX2. */
#include "quantised.h"

#define QUANTISED_TILES TILES_UP_TO_4(1)
#define QUANTISED_TILE_NAMES {{NAMES_UP_TO_4(1)}}
#define CVK_LANES "quantised_lanes.h"
#define CVK_TEMPLATE "x86/quantised_convolution_template.h"
#include "variant.h"
