/* Convolutions of bytes with AVX-512 VNNI. */
#include "../quantised.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512VNNI

#include "quantised_lanes.h"

#define QUANTISED_TILES TILES_UP_TO_8(1) TILES_UP_TO_8(2) TILES_UP_TO_8(3) TILES_UP_TO_6(4)
#define QUANTISED_TILE_NAMES {{NAMES_UP_TO_8(1)}, {NAMES_UP_TO_8(2)}, {NAMES_UP_TO_8(3)}, {NAMES_UP_TO_6(4)}}
#include "../x86/quantised_convolution_template.h"

CVK_END
#endif
