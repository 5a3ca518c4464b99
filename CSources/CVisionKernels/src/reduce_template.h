/* Reductions over the vectors of network_lanes.h. Sums are kept in several partial sums whose number and order depend
 * on the length only. */

#define SOURCE(data, stride, y) ((const float *)((const char *)(data) + (y) * (stride)))

inline_always vf reduction_start(enum cvk_reduction kind) {
  return SPLAT(kind == CVK_REDUCTION_MAXIMUM   ? -__builtin_inff()
               : kind == CVK_REDUCTION_MINIMUM ? __builtin_inff()
                                               : 0.0f);
}

inline_always vf take(vf sum, vf x, enum cvk_reduction kind) {
  switch (kind) {
  case CVK_REDUCTION_MAXIMUM: return maximum(sum, x);
  case CVK_REDUCTION_MINIMUM: return minimum(sum, x);
  case CVK_REDUCTION_SUM_OF_SQUARES: return FMA(x, x, sum);
  default: return sum + x;
  }
}

inline_always vf combine(vf a, vf b, enum cvk_reduction kind) {
  return kind == CVK_REDUCTION_MAXIMUM ? maximum(a, b) : kind == CVK_REDUCTION_MINIMUM ? minimum(a, b) : a + b;
}

inline_always float across(vf v, enum cvk_reduction kind) {
  if (kind != CVK_REDUCTION_MAXIMUM && kind != CVK_REDUCTION_MINIMUM) return sum_of_lanes(v);
  float lanes[LANES];
  store(lanes, v);
  float best = lanes[0];
  for (int i = 1; i < LANES; i++) {
    int better = kind == CVK_REDUCTION_MAXIMUM ? lanes[i] > best : lanes[i] < best;
    if (better || lanes[i] != lanes[i]) best = lanes[i];
  }
  return best;
}

/* The first n lanes, the others being what a reduction starts with. */
inline_always vf lanes_or_start(const float *p, int n, enum cvk_reduction kind) {
  static const float indices[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return choose_less(load(indices), SPLAT((float)n), load_lanes(p, n), reduction_start(kind));
}

inline_always float reduce_row(const float *row, int columns, enum cvk_reduction kind) {
  const vf start = reduction_start(kind);
  vf a = start, b = start, c = start, d = start;
  int x = 0;
  for (; x + 4 * LANES <= columns; x += 4 * LANES) {
    a = take(a, load(row + x), kind), b = take(b, load(row + x + LANES), kind);
    c = take(c, load(row + x + 2 * LANES), kind), d = take(d, load(row + x + 3 * LANES), kind);
  }
  for (; x + LANES <= columns; x += LANES) a = take(a, load(row + x), kind);
  if (x < columns) b = take(b, lanes_or_start(row + x, columns - x, kind), kind);
  return across(combine(combine(a, b, kind), combine(c, d, kind), kind), kind);
}

void VARIANT(cvk_f32_reduce_columns)(float *dst, const float *src, ptrdiff_t src_stride, int rows, int columns,
                                     enum cvk_reduction kind) {
  for (int y = 0; y < rows; y++) {
    const float *row = SOURCE(src, src_stride, y);
    switch (kind) {
    case CVK_REDUCTION_MAXIMUM: dst[y] = reduce_row(row, columns, CVK_REDUCTION_MAXIMUM); break;
    case CVK_REDUCTION_MINIMUM: dst[y] = reduce_row(row, columns, CVK_REDUCTION_MINIMUM); break;
    case CVK_REDUCTION_SUM_OF_SQUARES: dst[y] = reduce_row(row, columns, CVK_REDUCTION_SUM_OF_SQUARES); break;
    case CVK_REDUCTION_MEAN: dst[y] = reduce_row(row, columns, CVK_REDUCTION_SUM) / (float)columns; break;
    default: dst[y] = reduce_row(row, columns, CVK_REDUCTION_SUM); break;
    }
  }
}

/* Rows summed before the sum is added to the sum of all: both stay short, and errors small. */
enum { CHUNK_OF_ROWS = 64, GROUP = 4 };

/* `vectors` (at most GROUP) vectors of columns. */
inline_always void reduce_group(vf *total, const float *src, ptrdiff_t stride, int rows, int vectors, int lanes,
                                enum cvk_reduction kind) {
  const vf start = reduction_start(kind);
  for (int v = 0; v < vectors; v++) total[v] = start;
  for (int first = 0; first < rows; first += CHUNK_OF_ROWS) {
    const int end = rows - first < CHUNK_OF_ROWS ? rows : first + CHUNK_OF_ROWS;
    vf even[GROUP], odd[GROUP];
    for (int v = 0; v < vectors; v++) even[v] = odd[v] = start;
    int y = first;
    for (; y + 2 <= end; y += 2)
      for (int v = 0; v < vectors; v++) {
        const float *p = SOURCE(src, stride, y) + v * LANES, *q = SOURCE(src, stride, y + 1) + v * LANES;
        vf a = lanes < LANES ? load_lanes(p, lanes) : load(p), b = lanes < LANES ? load_lanes(q, lanes) : load(q);
        even[v] = take(even[v], a, kind), odd[v] = take(odd[v], b, kind);
      }
    for (; y < end; y++)
      for (int v = 0; v < vectors; v++) {
        const float *p = SOURCE(src, stride, y) + v * LANES;
        vf a = lanes < LANES ? load_lanes(p, lanes) : load(p);
        even[v] = take(even[v], a, kind);
      }
    for (int v = 0; v < vectors; v++) total[v] = combine(total[v], combine(even[v], odd[v], kind), kind);
  }
}

inline_always void reduce_all_rows(float *dst, const float *src, ptrdiff_t stride, int rows, int columns,
                                   enum cvk_reduction kind, vf scale) {
  vf total[GROUP];
  int x = 0;
  for (; x + GROUP * LANES <= columns; x += GROUP * LANES) {
    reduce_group(total, src + x, stride, rows, GROUP, LANES, kind);
    for (int v = 0; v < GROUP; v++) store(dst + x + v * LANES, total[v] / scale);
  }
  for (; x + LANES <= columns; x += LANES) {
    reduce_group(total, src + x, stride, rows, 1, LANES, kind);
    store(dst + x, total[0] / scale);
  }
  if (x < columns) {
    reduce_group(total, src + x, stride, rows, 1, columns - x, kind);
    store_lanes(dst + x, total[0] / scale, columns - x);
  }
}

void VARIANT(cvk_f32_reduce_rows)(float *dst, const float *src, ptrdiff_t src_stride, int rows, int columns,
                                  enum cvk_reduction kind) {
  const vf one = SPLAT(1.0f);
#define CASE(kind, scale) \
  case kind: reduce_all_rows(dst, src, src_stride, rows, columns, kind, scale); break
  switch (kind) {
    CASE(CVK_REDUCTION_MAXIMUM, one);
    CASE(CVK_REDUCTION_MINIMUM, one);
    CASE(CVK_REDUCTION_SUM_OF_SQUARES, one);
    CASE(CVK_REDUCTION_MEAN, SPLAT((float)rows));
  default: reduce_all_rows(dst, src, src_stride, rows, columns, CVK_REDUCTION_SUM, one); break;
  }
#undef CASE
}
