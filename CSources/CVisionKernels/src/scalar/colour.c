/* Colour conversions, the reference. */
#include "internal.h"

void cvk_u8_grey_from_c4__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                 int width, int height, const int16_t weights[4]) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    for (int x = 0; x < width; x++) {
      const uint8_t *p = src + 4 * x;
      int sum = p[0] * weights[0] + p[1] * weights[1] + p[2] * weights[2] + p[3] * weights[3];
      dst[x] = (uint8_t)((sum + (1 << 14)) >> 15);
    }
}

void cvk_u8_grey_from_c3__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                 int width, int height, const int16_t weights[3]) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    for (int x = 0; x < width; x++) {
      const uint8_t *p = src + 3 * x;
      dst[x] = (uint8_t)((p[0] * weights[0] + p[1] * weights[1] + p[2] * weights[2] + (1 << 14)) >> 15);
    }
}

static inline void reorder(uint8_t *dst, ptrdiff_t dst_stride, int dst_channels, const uint8_t *src,
                           ptrdiff_t src_stride, int src_channels, int width, int height, const uint8_t *order) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < dst_channels; c++)
        dst[x * dst_channels + c] = order[c] == CVK_OPAQUE ? 255 : src[x * src_channels + order[c]];
}

#define REORDER(kernel, dst_channels, src_channels) \
  void kernel##__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, \
                        int height, const uint8_t order[dst_channels]) { \
    reorder(dst, dst_stride, dst_channels, src, src_stride, src_channels, width, height, order); \
  }
REORDER(cvk_u8_c4_from_c4, 4, 4)
REORDER(cvk_u8_c4_from_c3, 4, 3)
REORDER(cvk_u8_c3_from_c4, 3, 4)
REORDER(cvk_u8_c3_from_c3, 3, 3)

void cvk_u8_c4_from_grey__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                 int width, int height, int alpha) {
  uint8_t order[4] = {0, 0, 0, 0};
  order[alpha & 3] = CVK_OPAQUE;
  reorder(dst, dst_stride, 4, src, src_stride, 1, width, height, order);
}

void cvk_u8_c3_from_grey__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                 int width, int height) {
  static const uint8_t order[3] = {0, 0, 0};
  reorder(dst, dst_stride, 3, src, src_stride, 1, width, height, order);
}
