/* Convolutions and matrix products in float with AVX2: up to 12 sums in the 16 registers. */
#include "../winograd_layout.h"
#if CVK_X86
#include <immintrin.h>
#include <string.h>

CVK_BEGIN_AVX2

#include "network_lanes.h"

inline_always vf sum_pairs(vf low, vf high) {
  /* in each half of the register: two of low, two of high */
  __m256d sums = _mm256_castps_pd(_mm256_hadd_ps(low, high));
  return _mm256_castpd_ps(_mm256_permute4x64_pd(sums, 0xd8));
}

enum { TILE_PANELS = 4, TILE_VECTORS = 8 };
static const int tile_pixels[2][TILE_PANELS] = {{6, 2, 0, 1}, {6, 2}};
#define TILES TILE(1, 1) TILE(1, 2) TILE(1, 3) TILE(1, 4) TILE(1, 5) TILE(1, 6) TILE(2, 1) TILE(2, 2)
#define PLAIN_TILES TILES TILE(4, 1)
#define PAIRED_TILES TILES

#include "../convolution_tile.h"

#include "../convolution_template.h"

#include "../winograd_template.h"

CVK_END
#endif
