/* Between bytes, half floats and floats, the reference. */
#include <math.h>
#include <string.h>

#include "internal.h"

/* Strides are bytes, so rows are stepped through byte pointers. */
#define ROW(type, pointer, stride, y) ((type *)((char *)(pointer) + (ptrdiff_t)(y) * (stride)))
#define CONST_ROW(type, pointer, stride, y) ((const type *)((const char *)(pointer) + (ptrdiff_t)(y) * (stride)))

void cvk_f32_from_u8__scalar(float *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                             int height, float scale, float bias) {
  for (int y = 0; y < height; y++) {
    float *out = ROW(float, dst, dst_stride, y);
    for (int x = 0; x < width; x++) out[x] = (float)src[y * src_stride + x] * scale + bias;
  }
}

void cvk_u8_from_f32__scalar(uint8_t *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int width,
                             int height, float scale, float bias) {
  for (int y = 0; y < height; y++) {
    const float *in = CONST_ROW(float, src, src_stride, y);
    for (int x = 0; x < width; x++) {
      float value = in[x] * scale + bias;
      value = value > 0 ? value : 0; /* NaN is not greater */
      value = value < 255 ? value : 255;
      dst[y * dst_stride + x] = (uint8_t)lrintf(value);
    }
  }
}

static inline float from_half(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3FF, bits;
  if (exponent == 31) {
    bits = sign | 0x7F800000u | fraction << 13 | (fraction ? 1u << 22 : 0); /* NaNs are made quiet */
  } else if (exponent) {
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  } else { /* a denormal half is a normal float: fraction * 2^-24 exactly */
    float value = (float)fraction * 0x1p-24f;
    memcpy(&bits, &value, 4);
    bits |= sign;
  }
  float result;
  memcpy(&result, &bits, 4);
  return result;
}

void cvk_f32_from_f16__scalar(float *dst, ptrdiff_t dst_stride, const uint16_t *src, ptrdiff_t src_stride, int width,
                              int height) {
  for (int y = 0; y < height; y++) {
    float *out = ROW(float, dst, dst_stride, y);
    const uint16_t *in = CONST_ROW(uint16_t, src, src_stride, y);
    for (int x = 0; x < width; x++) out[x] = from_half(in[x]);
  }
}

void cvk_f32_planar_from_c4__scalar(float *dst, ptrdiff_t dst_stride, ptrdiff_t plane_stride, const uint8_t *src,
                                    ptrdiff_t src_stride, int width, int height, const uint8_t order[3],
                                    const float scale[3], const float bias[3]) {
  for (int y = 0; y < height; y++)
    for (int c = 0; c < 3; c++) {
      float *out = ROW(float, dst, dst_stride, y);
      out = ROW(float, out, plane_stride, c);
      for (int x = 0; x < width; x++) out[x] = (float)src[y * src_stride + 4 * x + order[c]] * scale[c] + bias[c];
    }
}

void cvk_f32_planar_from_c3__scalar(float *dst, ptrdiff_t dst_stride, ptrdiff_t plane_stride, const uint8_t *src,
                                    ptrdiff_t src_stride, int width, int height, const float scale[3],
                                    const float bias[3]) {
  for (int y = 0; y < height; y++)
    for (int c = 0; c < 3; c++) {
      float *out = ROW(float, dst, dst_stride, y);
      out = ROW(float, out, plane_stride, c);
      for (int x = 0; x < width; x++) out[x] = (float)src[y * src_stride + 3 * x + c] * scale[c] + bias[c];
    }
}

void cvk_f32_interleaved_from_c3__scalar(float *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                         int width, int height, const float scale[3], const float bias[3]) {
  for (int y = 0; y < height; y++) {
    float *out = ROW(float, dst, dst_stride, y);
    for (int x = 0; x < 3 * width; x++) out[x] = (float)src[y * src_stride + x] * scale[x % 3] + bias[x % 3];
  }
}
