/* Weighted sums of two images, the reference. */
#include "internal.h"

void cvk_u8_combine__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                            const uint8_t *other, ptrdiff_t other_stride, int width, int height, int src_weight,
                            int other_weight, int offset) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride, other += other_stride)
    for (int x = 0; x < width; x++) {
      int sum = (src[x] * src_weight + other[x] * other_weight + offset) >> 6;
      dst[x] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
}
