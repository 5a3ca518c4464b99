/* Distances and products of feature prints: the reference of the other variants. */
#include "../internal.h"

enum { PARTS = 32 };

void cvk_f32_squared_distances__scalar(float *dst, const float *src, ptrdiff_t src_stride, int rows, int columns,
                                       const float *query) {
  for (int y = 0; y < rows; y++) {
    const float *row = (const float *)((const char *)src + y * src_stride);
    float parts[PARTS] = {0};
    for (int x = 0; x < columns; x++) {
      float difference = row[x] - query[x];
      parts[x % PARTS] += difference * difference;
    }
    for (int half = PARTS / 2; half; half /= 2)
      for (int i = 0; i < half; i++) parts[i] += parts[i + half];
    dst[y] = parts[0];
  }
}

void cvk_s8_s16_dots__scalar(int32_t *dst, const int8_t *src, ptrdiff_t src_stride, int rows, int columns,
                             const int16_t *query) {
  for (int y = 0; y < rows; y++) {
    const int8_t *row = src + y * src_stride;
    int32_t sum = 0;
    for (int x = 0; x < columns; x++) sum += row[x] * query[x];
    dst[y] = sum;
  }
}
