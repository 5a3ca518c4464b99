/* Resampling. For halving the structure loads put the values of a channel side by side. */
#include "internal.h"

#if CVK_ARM

#include <arm_neon.h>
#include <string.h>

#define CONST_ROW(type, pointer, stride, y) \
  ((const type *)(const void *)((const char *)(pointer) + (ptrdiff_t)(y) * (stride)))

void cvk_u8_resize_columns__neon(int16_t *dst, const uint8_t *src, ptrdiff_t src_stride, int width,
                                 const int16_t *weights, int taps) {
  int x = 0;
  for (; x + 8 <= width; x += 8) {
    int32x4_t low = vdupq_n_s32(64), high = low;
    for (int k = 0; k < taps; k++) {
      const int16x8_t row = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(src + k * src_stride + x)));
      low = vmlal_n_s16(low, vget_low_s16(row), weights[k]);
      high = vmlal_high_n_s16(high, row, weights[k]);
    }
    vst1q_s16(dst + x, vcombine_s16(vshrn_n_s32(low, 7), vshrn_n_s32(high, 7)));
  }
  cvk_u8_resize_columns__scalar(dst + x, src + x, src_stride, width - x, weights, taps);
}

static inline uint32_t levels(int32x4_t sums) {
  const uint16x4_t words = vqmovun_s32(vshrq_n_s32(vaddq_s32(sums, vdupq_n_s32(1 << 20)), 21));
  return vget_lane_u32(vreinterpret_u32_u8(vqmovn_u16(vcombine_u16(words, words))), 0);
}

/* A pixel of three is loaded with a value of the next one, which is not stored. */
#define ROWS(count) \
  void cvk_u8_resize_rows_c##count##__neon(uint8_t *dst, ptrdiff_t dst_stride, const int16_t *src, \
                                           ptrdiff_t src_stride, int width, int height, const int32_t *firsts, \
                                                     const int16_t *weights, \
                                           int taps) { \
    for (int y = 0; y < height; y++, dst += dst_stride) { \
      const int16_t *row = CONST_ROW(int16_t, src, src_stride, y); \
      for (int x = 0; x < width; x++) { \
        const int16_t *pixel = row + (ptrdiff_t)firsts[x] * count, *factor = weights + (ptrdiff_t)x * taps; \
        int32x4_t sums = vdupq_n_s32(0); \
        for (int k = 0; k < taps; k++, pixel += count) sums = vmlal_n_s16(sums, vld1_s16(pixel), factor[k]); \
        const uint32_t bytes = levels(sums); \
        memcpy(dst + (ptrdiff_t)x * count, &bytes, count); \
      } \
    } \
  }
ROWS(3)
ROWS(4)

void cvk_u8_resize_rows_c1__neon(uint8_t *dst, ptrdiff_t dst_stride, const int16_t *src, ptrdiff_t src_stride,
                                 int width, int height, const int32_t *firsts, const int16_t *weights, int taps) {
  if (taps % 8 != 0) {
    cvk_u8_resize_rows_c1__scalar(dst, dst_stride, src, src_stride, width, height, firsts, weights, taps);
    return;
  }
  for (int y = 0; y < height; y++, dst += dst_stride) {
    const int16_t *row = CONST_ROW(int16_t, src, src_stride, y);
    for (int x = 0; x < width; x++) {
      int32x4_t sums = vdupq_n_s32(0);
      for (int k = 0; k < taps; k += 8) {
        const int16x8_t values = vld1q_s16(row + firsts[x] + k), factors = vld1q_s16(weights + (ptrdiff_t)x * taps + k);
        sums = vmlal_s16(sums, vget_low_s16(values), vget_low_s16(factors));
        sums = vmlal_high_s16(sums, values, factors);
      }
      dst[x] = (uint8_t)levels(vdupq_n_s32(vaddvq_s32(sums)));
    }
  }
}

void cvk_f32_resize_columns__neon(float *dst, const float *src, ptrdiff_t src_stride, int width, const float *weights,
                                  int taps) {
  int x = 0;
  for (; x + 4 <= width; x += 4) {
    float32x4_t sum = vdupq_n_f32(0);
    for (int k = 0; k < taps; k++)
      sum = vaddq_f32(sum, vmulq_n_f32(vld1q_f32(CONST_ROW(float, src, src_stride, k) + x), weights[k]));
    vst1q_f32(dst + x, sum);
  }
  cvk_f32_resize_columns__scalar(dst + x, src + x, src_stride, width - x, weights, taps);
}

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
