/* Activations: the reference of the other variants. */
#include "activation.h"

void cvk_f32_activated__scalar(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                               int columns, const cvk_activation *activation) {
  for (int y = 0; y < rows; y++) {
    const float *in = (const float *)((const char *)src + y * src_stride);
    float *out = (float *)((char *)dst + y * dst_stride);
    for (int x = 0; x < columns; x++) out[x] = activated(in[x], activation, x);
  }
}

void cvk_f32_activate__scalar(float *data, ptrdiff_t stride, int rows, int columns, const cvk_activation *activation) {
  cvk_f32_activated__scalar(data, stride, data, stride, rows, columns, activation);
}
