/* Convolutions of bytes with AVX2. */
#include "../quantised.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX2

#include "quantised_lanes.h"

#define QUANTISED_TILES TILES_UP_TO_4(1)
#define QUANTISED_TILE_NAMES {{NAMES_UP_TO_4(1)}}
#include "../x86/quantised_convolution_template.h"

CVK_END
#endif
