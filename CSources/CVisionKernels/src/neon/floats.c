/* Between bytes, half floats and floats. Products are rounded before the bias is added, as in the reference. */
#include "internal.h"

#if CVK_ARM

#include <arm_neon.h>

#define ROW(type, pointer, stride, y) ((type *)(void *)((char *)(pointer) + (ptrdiff_t)(y) * (stride)))
#define CONST_ROW(type, pointer, stride, y) \
  ((const type *)(const void *)((const char *)(pointer) + (ptrdiff_t)(y) * (stride)))

static inline float32x4_t scaled(float32x4_t value, float scale, float bias) {
  return vaddq_f32(vmulq_n_f32(value, scale), vdupq_n_f32(bias));
}

/* Eight bytes as two vectors of floats. */
static inline float32x4x2_t floats(uint8x8_t bytes) {
  const uint16x8_t wide = vmovl_u8(bytes);
  const float32x4x2_t result = {{vcvtq_f32_u32(vmovl_u16(vget_low_u16(wide))), vcvtq_f32_u32(vmovl_high_u16(wide))}};
  return result;
}

static inline void store_scaled(float *dst, uint8x8_t bytes, float scale, float bias) {
  const float32x4x2_t values = floats(bytes);
  vst1q_f32(dst, scaled(values.val[0], scale, bias));
  vst1q_f32(dst + 4, scaled(values.val[1], scale, bias));
}

void cvk_f32_from_u8__neon(float *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                           int height, float scale, float bias) {
  for (int y = 0; y < height; y++, src += src_stride) {
    float *out = ROW(float, dst, dst_stride, y);
    int x = 0;
    for (; x + 8 <= width; x += 8) store_scaled(out + x, vld1_u8(src + x), scale, bias);
    cvk_f32_from_u8__scalar(out + x, 0, src + x, 0, width - x, 1, scale, bias);
  }
}

void cvk_u8_from_f32__neon(uint8_t *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int width,
                           int height, float scale, float bias) {
  for (int y = 0; y < height; y++, dst += dst_stride) {
    const float *in = CONST_ROW(float, src, src_stride, y);
    int x = 0;
    for (; x + 8 <= width; x += 8) {
      uint16x4_t half[2]; /* the conversion makes 0 of NaN and saturates, narrowing does the rest */
      for (int i = 0; i < 2; i++)
        half[i] = vqmovun_s32(vcvtnq_s32_f32(scaled(vld1q_f32(in + x + 4 * i), scale, bias)));
      vst1_u8(dst + x, vqmovn_u16(vcombine_u16(half[0], half[1])));
    }
    cvk_u8_from_f32__scalar(dst + x, 0, in + x, 0, width - x, 1, scale, bias);
  }
}

void cvk_f32_from_f16__neon(float *dst, ptrdiff_t dst_stride, const uint16_t *src, ptrdiff_t src_stride, int width,
                            int height) {
  for (int y = 0; y < height; y++) {
    float *out = ROW(float, dst, dst_stride, y);
    const uint16_t *in = CONST_ROW(uint16_t, src, src_stride, y);
    int x = 0;
    for (; x + 4 <= width; x += 4) vst1q_f32(out + x, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(in + x))));
    cvk_f32_from_f16__scalar(out + x, 0, in + x, 0, width - x, 1);
  }
}

void cvk_f32_planar_from_c4__neon(float *dst, ptrdiff_t dst_stride, ptrdiff_t plane_stride, const uint8_t *src,
                                  ptrdiff_t src_stride, int width, int height, const uint8_t order[3],
                                  const float scale[3], const float bias[3]) {
  for (int y = 0; y < height; y++, src += src_stride) {
    float *out = ROW(float, dst, dst_stride, y);
    int x = 0;
    for (; x + 8 <= width; x += 8) {
      const uint8x8x4_t p = vld4_u8(src + 4 * x);
      for (int c = 0; c < 3; c++)
        store_scaled(ROW(float, out, plane_stride, c) + x, p.val[order[c]], scale[c], bias[c]);
    }
    cvk_f32_planar_from_c4__scalar(out + x, 0, plane_stride, src + 4 * x, 0, width - x, 1, order, scale, bias);
  }
}

void cvk_f32_planar_from_c3__neon(float *dst, ptrdiff_t dst_stride, ptrdiff_t plane_stride, const uint8_t *src,
                                  ptrdiff_t src_stride, int width, int height, const float scale[3],
                                  const float bias[3]) {
  for (int y = 0; y < height; y++, src += src_stride) {
    float *out = ROW(float, dst, dst_stride, y);
    int x = 0;
    for (; x + 8 <= width; x += 8) {
      const uint8x8x3_t p = vld3_u8(src + 3 * x);
      for (int c = 0; c < 3; c++) store_scaled(ROW(float, out, plane_stride, c) + x, p.val[c], scale[c], bias[c]);
    }
    cvk_f32_planar_from_c3__scalar(out + x, 0, plane_stride, src + 3 * x, 0, width - x, 1, scale, bias);
  }
}

void cvk_f32_interleaved_from_c3__neon(float *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                       int width, int height, const float scale[3], const float bias[3]) {
  for (int y = 0; y < height; y++, src += src_stride) {
    float *out = ROW(float, dst, dst_stride, y);
    int x = 0;
    for (; x + 8 <= width; x += 8) {
      const uint8x8x3_t p = vld3_u8(src + 3 * x);
      float32x4x3_t halves[2];
      for (int c = 0; c < 3; c++) {
        const float32x4x2_t values = floats(p.val[c]);
        for (int i = 0; i < 2; i++) halves[i].val[c] = scaled(values.val[i], scale[c], bias[c]);
      }
      vst3q_f32(out + 3 * x, halves[0]);
      vst3q_f32(out + 3 * x + 12, halves[1]);
    }
    cvk_f32_interleaved_from_c3__scalar(out + 3 * x, 0, src + 3 * x, 0, width - x, 1, scale, bias);
  }
}

#endif
