/* Convolutions of bytes with AVX-512 VNNI. */
#include "quantised.h"

#define QUANTISED_TILES TILES_UP_TO_8(1) TILES_UP_TO_8(2) TILES_UP_TO_8(3) TILES_UP_TO_6(4)
#define QUANTISED_TILE_NAMES {{NAMES_UP_TO_8(1)}, {NAMES_UP_TO_8(2)}, {NAMES_UP_TO_8(3)}, {NAMES_UP_TO_6(4)}}
#define CVK_LANES "quantised_lanes.h"
#define CVK_TEMPLATE "x86/quantised_convolution_template.h"
#include "variant.h"
