/* Alignment of planar patches, and corners: see planar_template.h. */
#include "../internal.h"

#include <string.h>

#define VARIANT(name) name##__scalar
#include "../planar_template.h"

/* Only here: it waits for the table, not for arithmetic. */
void cvk_u8_colour_lookup__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                  int width, int height, int channels, const int32_t *order, const uint8_t *values) {
  const int first = order[0], second = order[1], third = order[2];
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    for (int x = 0; x < width; x++) {
      const uint8_t *p = src + (ptrdiff_t)x * channels;
      dst[x] = values[(p[first] >> 3) << 10 | (p[second] >> 3) << 5 | p[third] >> 3];
    }
}
