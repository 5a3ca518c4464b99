/* Halving: the structure loads put the values of a channel side by side. */
#include "internal.h"

#if CVK_ARM

#include <arm_neon.h>

static inline uint8x8_t mean(uint8x16_t upper, uint8x16_t lower) {
  return vrshrn_n_u16(vpadalq_u8(vpaddlq_u8(upper), lower), 2);
}

void cvk_u8_halve_c1__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                           int height) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += 2 * src_stride) {
    int x = 0;
    for (; x + 8 <= width; x += 8) vst1_u8(dst + x, mean(vld1q_u8(src + 2 * x), vld1q_u8(src + src_stride + 2 * x)));
    cvk_u8_halve_c1__scalar(dst + x, 0, src + 2 * x, src_stride, width - x, 1);
  }
}

#define HALVE(count) \
  void cvk_u8_halve_c##count##__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, \
                                     int width, int height) { \
    for (int y = 0; y < height; y++, dst += dst_stride, src += 2 * src_stride) { \
      int x = 0; \
      for (; x + 8 <= width; x += 8) { \
        const uint8x16x##count##_t upper = vld##count##q_u8(src + 2 * count * x); \
        const uint8x16x##count##_t lower = vld##count##q_u8(src + src_stride + 2 * count * x); \
        uint8x8x##count##_t means; \
        for (int c = 0; c < count; c++) means.val[c] = mean(upper.val[c], lower.val[c]); \
        vst##count##_u8(dst + count * x, means); \
      } \
      cvk_u8_halve_c##count##__scalar(dst + count * x, 0, src + 2 * count * x, src_stride, width - x, 1); \
    } \
  }
HALVE(3)
HALVE(4)

#endif
