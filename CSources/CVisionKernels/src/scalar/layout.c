/* Transposing and half precision: the reference of the other variants. */
#include <string.h>

#include "../internal.h"

void cvk_f32_transpose__scalar(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                               int columns) {
  for (int y = 0; y < rows; y++) {
    float *out = (float *)((char *)dst + y * dst_stride);
    for (int x = 0; x < columns; x++) out[x] = ((const float *)((const char *)src + x * src_stride))[y];
  }
}

static uint16_t half_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff)); /* NaN, made quiet */
  if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00);                            /* 65520 and above */
  if (magnitude < 0x38800000) { /* below 2^-14: units of 2^-24; the sum rounds as the processor does */
    float unsigned_x, sum;
    memcpy(&unsigned_x, &magnitude, 4);
    sum = unsigned_x + 0.5f;
    memcpy(&bits, &sum, 4);
    return (uint16_t)(sign | (bits - 0x3f000000));
  }
  const uint32_t odd = magnitude >> 13 & 1;
  return (uint16_t)(sign | ((magnitude - 0x38000000 + 0xfff + odd) >> 13));
}

void cvk_f16_from_f32__scalar(uint16_t *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                              int columns) {
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      ((uint16_t *)((char *)dst + y * dst_stride))[x] =
          half_of(((const float *)((const char *)src + y * src_stride))[x]);
}
