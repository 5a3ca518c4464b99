/* Softmax and normalisation of rows, over the vectors of network_lanes.h. */
#include "network_math.h"

#define SOURCE(data, stride, y) ((const float *)((const char *)(data) + (y) * (stride)))

/* Of LANES columns or more. Whether it sees a NaN does not matter: the sum of the exponentials does. */
inline_always float largest_of(const float *row, int columns) {
  vf best = load(row + columns - LANES);
  for (int x = 0; x + LANES < columns; x += LANES) best = larger(best, load(row + x));
  return largest_lane(best);
}

/* exp(row - most) to `out`, unless that is NULL; the sum of it all. */
inline_always float exponentials(float *out, const float *row, int columns, vf most) {
  vf a = SPLAT(0.0f), b = SPLAT(0.0f);
  int x = 0;
  for (; x + 2 * LANES <= columns; x += 2 * LANES) {
    vf e = exp_normal(load(row + x) - most), f = exp_normal(load(row + x + LANES) - most);
    if (out) store(out + x, e), store(out + x + LANES, f);
    a = a + e, b = b + f;
  }
  for (; x + LANES <= columns; x += LANES) {
    vf e = exp_normal(load(row + x) - most);
    if (out) store(out + x, e);
    a = a + e;
  }
  if (x < columns) {
    const int n = columns - x;
    vf e = exp_normal(load_lanes(row + x, n) - most);
    if (out) store_lanes(out + x, e, n);
    b = b + keep_part(e, n);
  }
  return sum_of_lanes(a + b);
}

/* Rows of few columns, many at a time: they are transposed so that a lane is a row. */
enum { FEW = 32, ROWS = 64 };

static void softmax_of_few(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                           int columns, int logarithm) {
  float transposed[FEW * ROWS];
  VARIANT(cvk_f32_transpose)(transposed, ROWS * sizeof(float), src, src_stride, columns, rows);
  for (int row = 0; row < rows; row += LANES) {
    /* Lanes beyond the rows are zeros: any numbers would do, but not what lay there. */
    if (rows - row < LANES)
      for (int x = 0; x < columns; x++)
        store(transposed + x * ROWS + row, keep_part(load(transposed + x * ROWS + row), rows - row));
    vf most = load(transposed + row), sum = SPLAT(0.0f);
    for (int x = 1; x < columns; x++) most = maximum(most, load(transposed + x * ROWS + row));
    for (int x = 0; x < columns; x++) {
      float *at = transposed + x * ROWS + row;
      vf difference = load(at) - most, e = exp_normal(difference);
      store(at, logarithm ? difference : e);
      sum = sum + e;
    }
    if (logarithm) sum = log_full(sum);
    for (int x = 0; x < columns; x++) {
      float *at = transposed + x * ROWS + row;
      store(at, logarithm ? load(at) - sum : load(at) / sum);
    }
  }
  VARIANT(cvk_f32_transpose)(dst, dst_stride, transposed, ROWS * sizeof(float), rows, columns);
}

void VARIANT(cvk_f32_softmax)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                              int columns, int logarithm) {
  if (columns < 1) return;
  if (columns <= FEW) {
    for (int y = 0; y < rows; y += ROWS)
      softmax_of_few((float *)((char *)dst + y * dst_stride), dst_stride, SOURCE(src, src_stride, y), src_stride,
                     rows - y < ROWS ? rows - y : ROWS, columns, logarithm);
    return;
  }
  for (int y = 0; y < rows; y++) {
    const float *row = SOURCE(src, src_stride, y);
    float *out = (float *)((char *)dst + y * dst_stride);
    const vf most = SPLAT(largest_of(row, columns));
    vf sum = SPLAT(exponentials(logarithm ? 0 : out, row, columns, most));
    const vf log_sum = logarithm ? log_full(sum) : sum;
    int x = 0;
    for (; x + LANES <= columns; x += LANES)
      store(out + x, logarithm ? load(row + x) - most - log_sum : load(out + x) / sum);
    if (x < columns) {
      const int n = columns - x;
      store_lanes(out + x, logarithm ? load_lanes(row + x, n) - most - log_sum : load_lanes(out + x, n) / sum, n);
    }
  }
}

inline_always float sum_of_row(const float *row, int columns, int squares, vf centre) {
  vf a = SPLAT(0.0f), b = a, c = a, d = a;
  int x = 0;
#define ADD(to, v) (squares ? FMA((v) - centre, (v) - centre, to) : (to) + (v))
  for (; x + 4 * LANES <= columns; x += 4 * LANES) {
    a = ADD(a, load(row + x)), b = ADD(b, load(row + x + LANES));
    c = ADD(c, load(row + x + 2 * LANES)), d = ADD(d, load(row + x + 3 * LANES));
  }
  for (; x + LANES <= columns; x += LANES) a = ADD(a, load(row + x));
  if (x < columns) b = keep_part(ADD(SPLAT(0.0f), load_lanes(row + x, columns - x)), columns - x) + b;
#undef ADD
  return sum_of_lanes((a + b) + (c + d));
}

void VARIANT(cvk_f32_normalise_rows)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                                     int columns, float epsilon, const float *scale, const float *bias,
                                     float *means, float *inverses) {
  const vf one = SPLAT(1.0f), zero = SPLAT(0.0f);
  for (int y = 0; y < rows; y++) {
    const float *row = SOURCE(src, src_stride, y);
    float *out = (float *)((char *)dst + y * dst_stride);
    const float mean = sum_of_row(row, columns, 0, zero) / (float)columns;
    const vf centre = SPLAT(mean);
    const float variance = sum_of_row(row, columns, 1, centre) / (float)columns;
    const float inverse = 1 / __builtin_sqrtf(variance + epsilon);
    const vf factor = SPLAT(inverse);
    for (int x = 0; x < columns; x += LANES) {
      const int n = columns - x;
      if (n >= LANES) {
        vf v = (load(row + x) - centre) * factor;
        store(out + x, FMA(v, scale ? load(scale + x) : one, bias ? load(bias + x) : zero));
      } else {
        vf v = (load_lanes(row + x, n) - centre) * factor;
        v = FMA(v, scale ? load_lanes(scale + x, n) : one, bias ? load_lanes(bias + x, n) : zero);
        store_lanes(out + x, v, n);
      }
    }
    if (means) means[y] = mean;
    if (inverses) inverses[y] = inverse;
  }
}
