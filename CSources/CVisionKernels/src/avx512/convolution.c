/* Convolutions and matrix products in float with AVX-512: up to 28 sums in the 32 registers. */
#include "../convolution_layout.h"
#if CVK_X86
#include <immintrin.h>
#include <string.h>

CVK_BEGIN_AVX512

#include "network_lanes.h"

enum { TILE_PANELS = 8, TILE_VECTORS = 8 };
static const int tile_pixels[TILE_PANELS] = {14, 14, 9, 6, 0, 0, 0, 1};
#define TILES_TO_7(panels) \
  TILE(panels, 1) TILE(panels, 2) TILE(panels, 3) TILE(panels, 4) TILE(panels, 5) TILE(panels, 6) TILE(panels, 7)
#define TILES_TO_14(panels) \
  TILES_TO_7(panels) TILE(panels, 8) TILE(panels, 9) TILE(panels, 10) TILE(panels, 11) TILE(panels, 12) TILE(panels, 13) \
  TILE(panels, 14)
#define TILES \
  TILES_TO_14(1) TILES_TO_14(2) TILES_TO_7(3) TILE(3, 8) \
  TILE(3, 9) TILE(4, 1) TILE(4, 2) TILE(4, 3) TILE(4, 4) TILE(4, 5) TILE(4, 6) TILE(8, 1)

#include "../convolution_tile.h"

#include "../convolution_template.h"

CVK_END
#endif
