/* Convolutions and matrix products in float with NEON: up to 24 sums in the 32 registers. */
#include "../winograd_layout.h"
#if CVK_ARM
#include <arm_neon.h>
#include <string.h>

#include "network_lanes.h"

inline_always vf sum_pairs(vf low, vf high) { return vpaddq_f32(low, high); }

enum { TILE_PANELS = 2, TILE_VECTORS = 8 };
static const int tile_pixels[2][TILE_PANELS] = {{6, 2}, {6, 2}};
#define TILES TILE(1, 1) TILE(1, 2) TILE(1, 3) TILE(1, 4) TILE(1, 5) TILE(1, 6) TILE(2, 1) TILE(2, 2)
#define PLAIN_TILES TILES
#define PAIRED_TILES TILES

#include "../convolution_tile.h"

#include "../convolution_template.h"

#include "../winograd_template.h"

#endif
