/* Pooling: the reference of the other variants. */
#include <math.h>

#include "../internal.h"

static float pooled(const float *const *rows, const cvk_pool *shape, int x, int channel, int counted) {
  const int first = x * shape->stride - shape->pad_left;
  float total = shape->mean ? 0 : -INFINITY;
  for (int kx = 0; kx < shape->kernel_width; kx++) {
    const int column = first + kx * shape->dilation;
    if (column < 0 || column >= shape->in_width) continue;
    for (int ky = 0; ky < shape->kernel_height; ky++) {
      const float *row = rows[(ptrdiff_t)ky * shape->row_dilation];
      if (!row) continue;
      float value = ((const float *)((const char *)row + column * shape->src_pixel_stride))[channel];
      if (shape->mean) total += value;
      else if (value > total || value != value) total = value;
    }
  }
  if (!shape->mean) return total;
  const int low = shape->counts_padding ? -shape->pad_left : 0;
  const int high = shape->counts_padding ? shape->in_width + shape->pad_right : shape->in_width;
  int columns = 0;
  for (int kx = 0; kx < shape->kernel_width; kx++)
    columns += first + kx * shape->dilation >= low && first + kx * shape->dilation < high;
  return counted * columns > 0 ? total / (float)(counted * columns) : 0;
}

void cvk_f32_pool__scalar(float *dst, ptrdiff_t dst_stride, const float *const *rows, const int32_t *counted_rows,
                          int out_rows, const cvk_pool *shape) {
  for (int y = 0; y < out_rows; y++) {
    const float *const *window = rows + (ptrdiff_t)y * shape->row_step;
    int counted = 0;
    for (int ky = 0; ky < shape->kernel_height; ky++) counted += window[(ptrdiff_t)ky * shape->row_dilation] != 0;
    if (counted_rows) counted = counted_rows[y];
    for (int x = 0; x < shape->out_width; x++) {
      float *out = (float *)((char *)dst + y * dst_stride + x * shape->dst_pixel_stride);
      for (int c = 0; c < shape->channels; c++) out[c] = pooled(window, shape, x, c, counted);
    }
  }
}
