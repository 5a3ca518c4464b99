/* Affine warp, the reference. */
#include <string.h>

#include "internal.h"

enum { BITS = 7, ONE = 1 << BITS };

/* The pixel at (x, y), which may lie outside. */
static inline const uint8_t *pixel(const uint8_t *src, ptrdiff_t src_stride, int src_width, int src_height,
                                   int channels, int64_t x, int64_t y, int border, const uint8_t *colour) {
  if (border == CVK_BORDER_CONSTANT && (x < 0 || y < 0 || x >= src_width || y >= src_height)) return colour;
  x = x < 0 ? 0 : x >= src_width ? src_width - 1 : x;
  y = y < 0 ? 0 : y >= src_height ? src_height - 1 : y;
  return src + y * src_stride + x * channels;
}

void cvk_u8_warp_affine__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                                int height, int src_width, int src_height, int channels, const cvk_affine *map,
                                int border, const uint8_t *colour) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      /* To the nearest 128th of a pixel; shifts of negative numbers round down. */
      int64_t half = (int64_t)1 << (31 - BITS);
      int64_t column = (map->xx * x + map->xy * y + map->x0 + half) >> (32 - BITS);
      int64_t row = (map->yx * x + map->yy * y + map->y0 + half) >> (32 - BITS);
      int right = (int)(column & (ONE - 1)), down = (int)(row & (ONE - 1));
      column >>= BITS;
      row >>= BITS;
      const uint8_t *p[4];
      for (int i = 0; i < 4; i++)
        p[i] = pixel(src, src_stride, src_width, src_height, channels, column + (i & 1), row + (i >> 1), border,
                     colour);
      for (int c = 0; c < channels; c++) {
        int upper = p[0][c] * (ONE - right) + p[1][c] * right, lower = p[2][c] * (ONE - right) + p[3][c] * right;
        dst[y * dst_stride + (ptrdiff_t)x * channels + c] =
            (uint8_t)((upper * (ONE - down) + lower * down + (1 << (2 * BITS - 1))) >> (2 * BITS));
      }
    }
}
