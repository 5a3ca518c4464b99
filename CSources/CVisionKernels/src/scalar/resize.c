/* The passes of resizing, the reference. */
#include "internal.h"

void cvk_u8_resize_columns__scalar(int16_t *dst, const uint8_t *src, ptrdiff_t src_stride, int width,
                                   const int16_t *weights, int taps) {
  for (int x = 0; x < width; x++) {
    int sum = 64;
    for (int k = 0; k < taps; k++) sum += src[k * src_stride + x] * weights[k];
    dst[x] = (int16_t)(sum >> 7);
  }
}

static inline void resize_rows(uint8_t *dst, ptrdiff_t dst_stride, const int16_t *src, ptrdiff_t src_stride, int width,
                               int height, const int32_t *firsts, const int16_t *weights, int taps, int channels) {
  for (int y = 0; y < height; y++) {
    const int16_t *row = (const int16_t *)(const void *)((const uint8_t *)src + y * src_stride);
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++) {
        int sum = 1 << 20;
        for (int k = 0; k < taps; k++)
          sum += row[(ptrdiff_t)(firsts[x] + k) * channels + c] * weights[(ptrdiff_t)x * taps + k];
        sum >>= 21;
        dst[y * dst_stride + (ptrdiff_t)x * channels + c] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
      }
  }
}

static inline void halve(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height, int channels) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++) {
        const uint8_t *p = src + 2 * y * src_stride + (ptrdiff_t)2 * x * channels + c;
        dst[y * dst_stride + (ptrdiff_t)x * channels + c] =
            (uint8_t)((p[0] + p[channels] + p[src_stride] + p[src_stride + channels] + 2) >> 2);
      }
}

#define CHANNELS(count) \
  void cvk_u8_resize_rows_c##count##__scalar(uint8_t *dst, ptrdiff_t dst_stride, const int16_t *src, \
                                             ptrdiff_t src_stride, int width, int height, const int32_t *firsts, \
                                             const int16_t *weights, int taps) { \
    resize_rows(dst, dst_stride, src, src_stride, width, height, firsts, weights, taps, count); \
  } \
  void cvk_u8_halve_c##count##__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, \
                                       int width, int height) { \
    halve(dst, dst_stride, src, src_stride, width, height, count); \
  }

CHANNELS(1)
CHANNELS(3)
CHANNELS(4)

void cvk_f32_resize_columns__scalar(float *dst, const float *src, ptrdiff_t src_stride, int width, const float *weights,
                                    int taps) {
  for (int x = 0; x < width; x++) {
    float sum = 0;
    for (int k = 0; k < taps; k++)
      sum += *(const float *)(const void *)((const uint8_t *)(src + x) + k * src_stride) * weights[k];
    dst[x] = sum;
  }
}

void cvk_f32_resize_row__scalar(float *dst, const float *src, int width, const int32_t *firsts, const int32_t *counts,
                                const float *weights, int taps) {
  for (int x = 0; x < width; x++) {
    float sum = 0;
    for (int k = 0; k < counts[x]; k++) sum += src[firsts[x] + k] * weights[(ptrdiff_t)x * taps + k];
    dst[x] = sum;
  }
}
