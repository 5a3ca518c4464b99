/* Softmax and normalisation of rows: the reference of the other variants. Sums are in double precision. */
#include <math.h>

#include "../internal.h"

static inline const float *source_at(const float *data, ptrdiff_t stride, int y) {
  return (const float *)((const char *)data + y * stride);
}

void cvk_f32_softmax__scalar(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                             int columns, int logarithm) {
  for (int y = 0; y < rows; y++) {
    const float *row = source_at(src, src_stride, y);
    float *out = (float *)((char *)dst + y * dst_stride), most = -INFINITY;
    for (int x = 0; x < columns; x++)
      if (row[x] > most || row[x] != row[x]) most = row[x];
    double sum = 0;
    for (int x = 0; x < columns; x++) sum += (double)expf(row[x] - most);
    const float log_sum = (float)log(sum);
    for (int x = 0; x < columns; x++)
      out[x] = logarithm ? row[x] - most - log_sum : (float)((double)expf(row[x] - most) / sum);
  }
}

void cvk_f32_normalise_rows__scalar(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                                    int columns, float epsilon, const float *scale, const float *bias,
                                    float *means, float *inverses) {
  for (int y = 0; y < rows; y++) {
    const float *row = source_at(src, src_stride, y);
    float *out = (float *)((char *)dst + y * dst_stride);
    double mean = 0, squares = 0;
    for (int x = 0; x < columns; x++) mean += row[x];
    mean /= columns;
    for (int x = 0; x < columns; x++) squares += (row[x] - mean) * (row[x] - mean);
    const float inverse = (float)(1 / sqrt(squares / columns + (double)epsilon));
    for (int x = 0; x < columns; x++)
      out[x] = (row[x] - (float)mean) * inverse * (scale ? scale[x] : 1) + (bias ? bias[x] : 0);
    if (means) means[y] = (float)mean;
    if (inverses) inverses[y] = inverse;
  }
}
