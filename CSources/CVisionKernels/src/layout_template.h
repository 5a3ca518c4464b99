/* Transposing, filling and half precision, over the vectors of network_lanes.h. */

#define ROW(y) ((char *)dst + (y) * dst_stride)
#define SOURCE(y) ((const float *)((const char *)src + (y) * src_stride))

/* Few rows of the destination: elements of a source's row go one to each of them. Compilers know this pattern when the
 * count is a constant and rows follow each other. */
inline_always void split_few(float *dst, ptrdiff_t dst_stride, const float *restrict src, int rows, int columns) {
  float *restrict a = (float *)ROW(0), *restrict b = (float *)ROW(rows > 1),
        *restrict c = (float *)ROW(rows > 2 ? 2 : 0),
                  *restrict d = (float *)ROW(rows > 3 ? 3 : 0);
  for (int x = 0; x < columns; x++) {
    a[x] = src[(ptrdiff_t)rows * x];
    if (rows > 1) b[x] = src[(ptrdiff_t)rows * x + 1];
    if (rows > 2) c[x] = src[(ptrdiff_t)rows * x + 2];
    if (rows > 3) d[x] = src[(ptrdiff_t)rows * x + 3];
  }
}

inline_always void join_few(float *restrict dst, const float *src, ptrdiff_t src_stride, int rows, int columns) {
  const float *restrict a = SOURCE(0), *restrict b = SOURCE(columns > 1), *restrict c = SOURCE(columns > 2 ? 2 : 0),
                        *restrict d = SOURCE(columns > 3 ? 3 : 0);
  for (int y = 0; y < rows; y++) {
    dst[(ptrdiff_t)columns * y] = a[y];
    if (columns > 1) dst[(ptrdiff_t)columns * y + 1] = b[y];
    if (columns > 2) dst[(ptrdiff_t)columns * y + 2] = c[y];
    if (columns > 3) dst[(ptrdiff_t)columns * y + 3] = d[y];
  }
}

/* A square of LANES rows and columns, or what there is of it. */
inline_always void transpose_square(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                                    int columns) {
  vf v[LANES];
  if (rows == LANES && columns == LANES) {
    UNROLL for (int i = 0; i < LANES; i++) v[i] = load(SOURCE(i));
    transpose(v);
    UNROLL for (int i = 0; i < LANES; i++) store((float *)ROW(i), v[i]);
    return;
  }
  for (int i = 0; i < LANES; i++)
    v[i] = i >= columns ? SPLAT(0.0f) : rows < LANES ? load_lanes(SOURCE(i), rows) : load(SOURCE(i));
  transpose(v);
  for (int i = 0; i < rows; i++) {
    if (columns < LANES) store_lanes((float *)ROW(i), v[i], columns);
    else store((float *)ROW(i), v[i]);
  }
}

void VARIANT(cvk_f32_transpose)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                                int columns) {
  if (rows <= 4 && src_stride == (ptrdiff_t)rows * 4) {
    switch (rows) {
    case 1: split_few(dst, dst_stride, src, 1, columns); break;
    case 2: split_few(dst, dst_stride, src, 2, columns); break;
    case 3: split_few(dst, dst_stride, src, 3, columns); break;
    case 4: split_few(dst, dst_stride, src, 4, columns); break;
    }
    return;
  }
  if (columns <= 4 && dst_stride == (ptrdiff_t)columns * 4) {
    switch (columns) {
    case 1: join_few(dst, src, src_stride, rows, 1); break;
    case 2: join_few(dst, src, src_stride, rows, 2); break;
    case 3: join_few(dst, src, src_stride, rows, 3); break;
    case 4: join_few(dst, src, src_stride, rows, 4); break;
    }
    return;
  }
  /* Chunks of 64 columns: the lines of the source that were read are used up while they are near. */
  for (int left = 0; left < columns; left += 64)
    for (int y = 0; y < rows; y += LANES)
      for (int x = left; x < left + 64 && x < columns; x += LANES)
        transpose_square((float *)ROW(y) + x, dst_stride, SOURCE(x) + y, src_stride,
                         rows - y < LANES ? rows - y : LANES, columns - x < LANES ? columns - x : LANES);
}

void VARIANT(cvk_f16_from_f32)(uint16_t *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                               int columns) {
  for (int y = 0; y < rows; y++) {
    uint16_t *out = (uint16_t *)ROW(y);
    const float *in = SOURCE(y);
    int x = 0;
    for (; x + LANES <= columns; x += LANES) store_halves(out + x, load(in + x));
    if (x == columns) continue;
    uint16_t rest[LANES];
    store_halves(rest, load_lanes(in + x, columns - x));
    for (int i = 0; x + i < columns; i++) out[x + i] = rest[i];
  }
}
