/* Source over destination, the reference. */
#include "internal.h"

enum { ONE = 1 << 14 };

void cvk_u8_c4_over__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                            int height, const uint8_t order[4], int alpha, enum cvk_alpha kind, int opacity) {
  const int gain = (opacity * 256 + 127) / 255;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uint8_t *in = src + y * src_stride + 4 * (ptrdiff_t)x;
      uint8_t *out = dst + y * dst_stride + 4 * (ptrdiff_t)x;
      int coverage = ((kind == CVK_ALPHA_NONE ? 255 : in[3]) * gain + 128) >> 8;
      int weight = kind == CVK_ALPHA_MULTIPLIED ? opacity : coverage;
      for (int c = 0; c < 4; c++) {
        int value = order[c] == CVK_OPAQUE || (c == alpha && kind != CVK_ALPHA_MULTIPLIED) ? 255 : in[order[c]];
        int sum = (value * weight + out[c] * (ONE - coverage) + ONE / 2) >> 14;
        out[c] = (uint8_t)(sum > 255 ? 255 : sum);
      }
    }
}
