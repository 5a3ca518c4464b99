/* Weighted sums of two images, sixteen pixels at a time. */
#include "internal.h"

#if CVK_ARM

#include <arm_neon.h>

static inline int32x4_t sum(int16x4_t a, int16x4_t b, int16_t a_weight, int16_t b_weight, int32x4_t start) {
  return vshrq_n_s32(vmlal_n_s16(vmlal_n_s16(start, a, a_weight), b, b_weight), 6);
}

static inline uint8x8_t sums(uint8x8_t src, uint8x8_t other, int16_t src_weight, int16_t other_weight,
                             int32x4_t start) {
  const int16x8_t a = vreinterpretq_s16_u16(vmovl_u8(src)), b = vreinterpretq_s16_u16(vmovl_u8(other));
  const int32x4_t low = sum(vget_low_s16(a), vget_low_s16(b), src_weight, other_weight, start);
  const int32x4_t high = sum(vget_high_s16(a), vget_high_s16(b), src_weight, other_weight, start);
  return vqmovun_s16(vcombine_s16(vqmovn_s32(low), vqmovn_s32(high)));
}

void cvk_u8_combine__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                          const uint8_t *other, ptrdiff_t other_stride, int width, int height, int src_weight,
                          int other_weight, int offset) {
  const int32x4_t start = vdupq_n_s32(offset);
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride, other += other_stride) {
    int x = 0;
    for (; x + 16 <= width; x += 16) {
      const uint8x16_t a = vld1q_u8(src + x), b = vld1q_u8(other + x);
      const uint8x8_t low =
          sums(vget_low_u8(a), vget_low_u8(b), (int16_t)src_weight, (int16_t)other_weight, start);
      const uint8x8_t high =
          sums(vget_high_u8(a), vget_high_u8(b), (int16_t)src_weight, (int16_t)other_weight, start);
      vst1q_u8(dst + x, vcombine_u8(low, high));
    }
    cvk_u8_combine__scalar(dst + x, 0, src + x, 0, other + x, 0, width - x, 1, src_weight, other_weight, offset);
  }
}

#endif
