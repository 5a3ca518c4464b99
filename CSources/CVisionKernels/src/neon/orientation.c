/* Mirrors with the structure loads. */
#include "internal.h"

#if CVK_ARM

#include <arm_neon.h>

static inline uint8x16_t reversed(uint8x16_t v) {
  v = vrev64q_u8(v);
  return vextq_u8(v, v, 8);
}

void cvk_b1_mirror__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 16 <= width; x += 16) vst1q_u8(dst + x, reversed(vld1q_u8(src + width - 16 - x)));
    cvk_b1_mirror__scalar(dst + x, 0, src, 0, width - x, 1);
  }
}

void cvk_b3_mirror__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 16 <= width; x += 16) {
      uint8x16x3_t p = vld3q_u8(src + 3 * (width - 16 - x));
      for (int c = 0; c < 3; c++) p.val[c] = reversed(p.val[c]);
      vst3q_u8(dst + 3 * x, p);
    }
    cvk_b3_mirror__scalar(dst + 3 * x, 0, src, 0, width - x, 1);
  }
}

void cvk_b4_mirror__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 4 <= width; x += 4) {
      const uint8x16_t p = vld1q_u8(src + 4 * (width - 4 - x));
      const uint8x16_t pairs = vreinterpretq_u8_u32(vrev64q_u32(vreinterpretq_u32_u8(p)));
      vst1q_u8(dst + 4 * x, vextq_u8(pairs, pairs, 8));
    }
    cvk_b4_mirror__scalar(dst + 4 * x, 0, src, 0, width - x, 1);
  }
}

#endif
