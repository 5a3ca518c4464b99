/* Reductions: the reference of the other variants. Sums are in double precision. */
#include <math.h>

#include "../internal.h"

static inline const float *source_at(const float *data, ptrdiff_t stride, int y) {
  return (const float *)((const char *)data + y * stride);
}

typedef struct reduction {
  enum cvk_reduction kind;
  double sum;
  float most, least;
} reduction;

static reduction begin(enum cvk_reduction kind) { return (reduction){kind, 0, -INFINITY, INFINITY}; }

static inline void take(reduction *r, float x) {
  r->sum += r->kind == CVK_REDUCTION_SUM_OF_SQUARES ? (double)x * x : x;
  if (x > r->most || x != x) r->most = x;
  if (x < r->least || x != x) r->least = x;
}

static float result(const reduction *r, int count) {
  switch (r->kind) {
  case CVK_REDUCTION_MEAN: return (float)(r->sum / count);
  case CVK_REDUCTION_MAXIMUM: return r->most;
  case CVK_REDUCTION_MINIMUM: return r->least;
  default: return (float)r->sum;
  }
}

void cvk_f32_reduce_columns__scalar(float *dst, const float *src, ptrdiff_t src_stride, int rows, int columns,
                                    enum cvk_reduction kind) {
  for (int y = 0; y < rows; y++) {
    reduction r = begin(kind);
    for (int x = 0; x < columns; x++) take(&r, source_at(src, src_stride, y)[x]);
    dst[y] = result(&r, columns);
  }
}

void cvk_f32_reduce_rows__scalar(float *dst, const float *src, ptrdiff_t src_stride, int rows, int columns,
                                 enum cvk_reduction kind) {
  for (int x = 0; x < columns; x++) {
    reduction r = begin(kind);
    for (int y = 0; y < rows; y++) take(&r, source_at(src, src_stride, y)[x]);
    dst[x] = result(&r, rows);
  }
}
