/* Estimates from codes of four bits with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

enum { BLOCK = 32, HALF = 16 };
#define UNROLLED _Pragma("clang loop unroll(full)")

void cvk_u4_table_estimates__neon(float *dst, const uint8_t *codes, int blocks, int tables, const uint8_t *entries,
                                  const float *offsets, const float *factors, float scale, float bias) {
  const uint8x16_t nibble = vdupq_n_u8(15);
  for (int b = 0; b < blocks; b++) {
    uint16x8_t sums[4] = {vdupq_n_u16(0), vdupq_n_u16(0), vdupq_n_u16(0), vdupq_n_u16(0)};
    for (int t = 0; t < tables; t += 2, codes += BLOCK) {
      const uint8x16_t first = vld1q_u8(entries + 16 * t), second = vld1q_u8(entries + 16 * t + 16);
      UNROLLED for (int h = 0; h < 2; h++) {
        const uint8x16_t bytes = vld1q_u8(codes + h * HALF);
        const uint8x16_t a = vqtbl1q_u8(first, vandq_u8(bytes, nibble)), c = vqtbl1q_u8(second, vshrq_n_u8(bytes, 4));
        sums[2 * h] = vaddq_u16(sums[2 * h], vaddl_u8(vget_low_u8(a), vget_low_u8(c)));
        sums[2 * h + 1] = vaddq_u16(sums[2 * h + 1], vaddl_high_u8(a, c));
      }
    }
    UNROLLED for (int part = 0; part < 8; part++) {
      const uint16x8_t eight = sums[part / 2];
      const uint32x4_t four = part % 2 ? vmovl_high_u16(eight) : vmovl_u16(vget_low_u16(eight));
      const float32x4_t product = vaddq_f32(vmulq_n_f32(vcvtq_f32_u32(four), scale), vdupq_n_f32(bias));
      const ptrdiff_t i = (ptrdiff_t)b * BLOCK + 4 * part;
      vst1q_f32(dst + i, vaddq_f32(vld1q_f32(offsets + i), vmulq_f32(vld1q_f32(factors + i), product)));
    }
  }
}

#endif
