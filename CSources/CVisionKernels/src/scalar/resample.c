/* Resizing with tables of taps: the reference of the other variants. */
#include "../internal.h"

void cvk_f32_resample__scalar(float *dst, const float *const *rows, const float *row_weights,
                              const cvk_resample *shape) {
  for (int x = 0; x < shape->out_width; x++) {
    float *out = (float *)((char *)dst + x * shape->dst_pixel_stride);
    for (int c = 0; c < shape->channels; c++) {
      float total = 0;
      for (int j = 0; j < shape->taps_y; j++) {
        float sum = 0;
        for (int k = 0; k < shape->taps_x; k++) {
          const ptrdiff_t tap = (ptrdiff_t)x * shape->taps_x + k;
          float value = ((const float *)((const char *)rows[j] + shape->columns[tap] * shape->src_pixel_stride))[c];
          sum = shape->weights ? sum + value * shape->weights[tap] : value;
        }
        total = row_weights ? total + sum * row_weights[j] : sum;
      }
      out[c] = total;
    }
  }
}
