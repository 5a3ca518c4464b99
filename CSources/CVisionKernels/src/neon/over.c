/* Source over destination, eight pixels at a time. */
#include "internal.h"

#if CVK_ARM

#include <arm_neon.h>

void cvk_u8_c4_over__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                          int height, const uint8_t order[4], int alpha, enum cvk_alpha kind, int opacity) {
  const uint16_t gain = (uint16_t)((opacity * 256 + 127) / 255);
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 8 <= width; x += 8) {
      const uint8x8x4_t s = vld4_u8(src + 4 * x);
      uint8x8x4_t d = vld4_u8(dst + 4 * x);
      const uint16x8_t a = vmovl_u8(kind == CVK_ALPHA_NONE ? vdup_n_u8(255) : s.val[3]);
      const uint16x8_t coverage = vcombine_u16(vrshrn_n_u32(vmull_n_u16(vget_low_u16(a), gain), 8),
                                               vrshrn_n_u32(vmull_n_u16(vget_high_u16(a), gain), 8));
      const uint16x8_t weight = kind == CVK_ALPHA_MULTIPLIED ? vdupq_n_u16((uint16_t)opacity) : coverage;
      const uint16x8_t rest = vsubq_u16(vdupq_n_u16(1 << 14), coverage);
      for (int c = 0; c < 4; c++) {
        const int fixed = order[c] == CVK_OPAQUE || (c == alpha && kind != CVK_ALPHA_MULTIPLIED);
        const uint16x8_t value = vmovl_u8(fixed ? vdup_n_u8(255) : s.val[order[c]]), old = vmovl_u8(d.val[c]);
        uint32x4_t low = vmull_u16(vget_low_u16(value), vget_low_u16(weight)), high = vmull_high_u16(value, weight);
        low = vmlal_u16(low, vget_low_u16(old), vget_low_u16(rest));
        high = vmlal_high_u16(high, old, rest);
        d.val[c] = vqmovn_u16(vcombine_u16(vrshrn_n_u32(low, 14), vrshrn_n_u32(high, 14)));
      }
      vst4_u8(dst + 4 * x, d);
    }
    cvk_u8_c4_over__scalar(dst + 4 * x, 0, src + 4 * x, 0, width - x, 1, order, alpha, kind, opacity);
  }
}

#endif
