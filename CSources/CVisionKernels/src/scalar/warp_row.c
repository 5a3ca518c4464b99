/* A row of a projective warp, the reference. */
#include <math.h>

#include "internal.h"

enum { BITS = 15, ONE = 1 << BITS };

/* The mean of two values that may have seven bits of fraction; `fraction` has fifteen. */
static int between(int a, int b, int fraction) { return a + (((b - a) * fraction + ONE / 2) >> BITS); }

void cvk_u8_warp_row_c4__scalar(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, int width, int src_width,
                                int src_height, const cvk_projective_row *map) {
  for (int x = 0; x < width; x++, dst += 4) {
    const double scale = ONE / (map->w + map->dw * x);
    const int64_t column = (int64_t)floor((map->u + map->du * x) * scale + 0.5);
    const int64_t row = (int64_t)floor((map->v + map->dv * x) * scale + 0.5);
    const int64_t left = column >> BITS, top = row >> BITS;
    const int across = (int)(column & (ONE - 1)), down = (int)(row & (ONE - 1));
    for (int c = 0; c < 4; c++) {
      int value[4];
      for (int i = 0; i < 4; i++) {
        const int64_t u = left + (i & 1), v = top + (i >> 1);
        const int inside = u >= 0 && v >= 0 && u < src_width && v < src_height;
        value[i] = inside ? src[v * src_stride + 4 * u + c] << 7 : 0;
      }
      /* Seven bits of fraction between the steps, as in registers of 16-bit words. */
      const int before = between(value[0], value[2], down), behind = between(value[1], value[3], down);
      dst[c] = (uint8_t)((between(before, behind, across) + 64) >> 7);
    }
  }
}
