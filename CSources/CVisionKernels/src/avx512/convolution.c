/* Convolutions and matrix products in float with AVX-512: up to 28 sums in the 32 registers. */
#include "../winograd_layout.h"
#if CVK_X86
#include <immintrin.h>
#include <string.h>

CVK_BEGIN_AVX512

#include "network_lanes.h"

inline_always vf sum_pairs(vf low, vf high) {
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  return _mm512_permutex2var_ps(low, even, high) + _mm512_permutex2var_ps(low, odd, high);
}

enum { TILE_PANELS = 8, TILE_VECTORS = 8 };
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
/* With a check before each of their thousands of loads, all shapes together take minutes to compile. */
static const int tile_pixels[2][TILE_PANELS] = {{3, 2, 2, 1, 0, 0, 0, 1}, {3, 2, 2}};
#define TILES TILE(1, 1) TILE(1, 2) TILE(1, 3) TILE(2, 1) TILE(2, 2) TILE(3, 1) TILE(3, 2)
#define PLAIN_TILES TILES TILE(4, 1) TILE(8, 1)
#define PAIRED_TILES TILES
#else
static const int tile_pixels[2][TILE_PANELS] = {{14, 14, 9, 6, 0, 0, 0, 1}, {14, 14, 9}};
#define TILES_TO_6(panels) \
  TILE(panels, 1) TILE(panels, 2) TILE(panels, 3) TILE(panels, 4) TILE(panels, 5) TILE(panels, 6)
#define TILES_TO_9(panels) TILES_TO_6(panels) TILE(panels, 7) TILE(panels, 8) TILE(panels, 9)
#define TILES_TO_14(panels) \
  TILES_TO_9(panels) TILE(panels, 10) TILE(panels, 11) TILE(panels, 12) TILE(panels, 13) TILE(panels, 14)
#define PLAIN_TILES TILES_TO_14(1) TILES_TO_14(2) TILES_TO_9(3) TILES_TO_6(4) TILE(8, 1)
#define PAIRED_TILES TILES_TO_14(1) TILES_TO_14(2) TILES_TO_9(3)
#endif

/* Products of a single panel of pairs take a load of their own each, and this processor, whose vectors of sixteen go
 * through halves, then reaches three quarters of its peak; AVX2's tiles broadcast once for two halves. The bits are the
 * same: the order of the sums is, and these activations round once. */
#define HALVES_SUIT(c) \
  ((c)->output_channels <= CVK_PAIRED_CHANNELS && is_paired(c) && (c)->activation.kind <= CVK_ACTIVATION_PRELU && \
   __builtin_cpu_is("amdfam19h"))

#include "../convolution_tile.h"

#include "../convolution_template.h"

#include "../winograd_template.h"

CVK_END
#endif
