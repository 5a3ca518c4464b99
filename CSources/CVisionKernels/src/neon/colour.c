/* Colour conversions with the structure loads and stores. */
#include "internal.h"

#if CVK_ARM

#include <arm_neon.h>

/* Eight pixels of one channel, weighted, on top of two sums of four. */
static inline void add(uint32x4_t sum[2], uint8x8_t channel, int weight) {
  uint16x8_t wide = vmovl_u8(channel);
  sum[0] = vmlal_n_u16(sum[0], vget_low_u16(wide), (uint16_t)weight);
  sum[1] = vmlal_n_u16(sum[1], vget_high_u16(wide), (uint16_t)weight);
}

static inline uint8x8_t levels(const uint32x4_t sum[2]) {
  return vmovn_u16(vcombine_u16(vrshrn_n_u32(sum[0], 15), vrshrn_n_u32(sum[1], 15)));
}

#define GREY(kernel, channels) \
  void kernel##__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, \
                      int height, const int16_t weights[channels]) { \
    for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) { \
      int x = 0; \
      for (; x + 8 <= width; x += 8) { \
        uint8x8x##channels##_t p = vld##channels##_u8(src + channels * x); \
        uint32x4_t sum[2] = {vdupq_n_u32(0), vdupq_n_u32(0)}; \
        for (int c = 0; c < channels; c++) add(sum, p.val[c], weights[c]); \
        vst1_u8(dst + x, levels(sum)); \
      } \
      kernel##__scalar(dst + x, 0, src + channels * x, 0, width - x, 1, weights); \
    } \
  }
GREY(cvk_u8_grey_from_c4, 4)
GREY(cvk_u8_grey_from_c3, 3)

/* Sixteen pixels at a time; what the source has not is opaque. */
#define REORDER(kernel, dst_channels, src_channels) \
  void kernel##__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, \
                      int height, const uint8_t order[dst_channels]) { \
    for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) { \
      int x = 0; \
      for (; x + 16 <= width; x += 16) { \
        const uint8x16x##src_channels##_t p = vld##src_channels##q_u8(src + src_channels * x); \
        uint8x16x##dst_channels##_t q; \
        for (int c = 0; c < dst_channels; c++) q.val[c] = order[c] == CVK_OPAQUE ? vdupq_n_u8(255) : p.val[order[c]]; \
        vst##dst_channels##q_u8(dst + dst_channels * x, q); \
      } \
      kernel##__scalar(dst + dst_channels * x, 0, src + src_channels * x, 0, width - x, 1, order); \
    } \
  }
REORDER(cvk_u8_c4_from_c4, 4, 4)
REORDER(cvk_u8_c4_from_c3, 4, 3)
REORDER(cvk_u8_c3_from_c4, 3, 4)
REORDER(cvk_u8_c3_from_c3, 3, 3)

void cvk_u8_c4_from_grey__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                               int height, int alpha) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 16 <= width; x += 16) {
      const uint8x16_t grey = vld1q_u8(src + x);
      uint8x16x4_t q = {{grey, grey, grey, grey}};
      q.val[alpha & 3] = vdupq_n_u8(255);
      vst4q_u8(dst + 4 * x, q);
    }
    cvk_u8_c4_from_grey__scalar(dst + 4 * x, 0, src + x, 0, width - x, 1, alpha);
  }
}

void cvk_u8_c3_from_grey__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                               int height) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 16 <= width; x += 16) {
      const uint8x16_t grey = vld1q_u8(src + x);
      const uint8x16x3_t q = {{grey, grey, grey}};
      vst3q_u8(dst + 3 * x, q);
    }
    cvk_u8_c3_from_grey__scalar(dst + 3 * x, 0, src + x, 0, width - x, 1);
  }
}

#endif
