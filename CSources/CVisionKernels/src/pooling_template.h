/* Pooling over the vectors of network_lanes.h: for a vector of channels first down the columns that a chunk of
 * outputs reads, then along them. A kernel of k x k costs 2 k steps instead of k^2. */

/* Columns of a chunk, held between the two steps. */
enum { COLUMNS = 96 };

typedef struct pool_row {
  const cvk_pool *shape;
  const float *const *rows;
  float *dst;
  int counted; /* rows */
} pool_row;

inline_always vf pool_two(vf a, vf b, int mean) { return mean ? a + b : maximum(a, b); }

/* Columns of padding that count, or of the input, that output x reads. */
static int counted_columns(const cvk_pool *shape, int x) {
  const int low = shape->counts_padding ? -shape->pad_left : 0;
  const int high = shape->counts_padding ? shape->in_width + shape->pad_right : shape->in_width;
  int count = 0;
  for (int kx = 0; kx < shape->kernel_width; kx++) {
    int column = x * shape->stride - shape->pad_left + kx * shape->dilation;
    count += column >= low && column < high;
  }
  return count;
}

/* Outputs from x to `end` of the channels from `channel` on, whose columns from `first` on fit into `columns`. */
inline_always void pool_chunk(const pool_row *row, int x, int end, int channel, int lanes, int mean, int part) {
  const cvk_pool *shape = row->shape;
  const vf none = SPLAT(mean ? 0.0f : -__builtin_inff());
  const int reach = (shape->kernel_width - 1) * shape->dilation, first = x * shape->stride - shape->pad_left;
  int low = first > 0 ? first : 0, high = (end - 1) * shape->stride - shape->pad_left + reach + 1;
  if (high > shape->in_width) high = shape->in_width;
  vf columns[COLUMNS];
  for (int column = low; column < high; column++) {
    vf sum = none;
    for (int ky = 0; ky < shape->kernel_height; ky++) {
      const float *in = row->rows[(ptrdiff_t)ky * shape->row_dilation];
      if (!in) continue;
      in = (const float *)((const char *)in + column * shape->src_pixel_stride) + channel;
      sum = pool_two(sum, part ? load_lanes(in, lanes) : load(in), mean);
    }
    columns[column - low] = sum;
  }
  for (; x < end; x++) {
    const int at = x * shape->stride - shape->pad_left;
    vf sum = none;
    for (int kx = 0; kx < shape->kernel_width; kx++) {
      int column = at + kx * shape->dilation;
      if (column >= low && column < high) sum = pool_two(sum, columns[column - low], mean);
    }
    if (mean) {
      int count = row->counted * counted_columns(shape, x);
      sum = count > 0 ? sum / SPLAT((float)count) : SPLAT(0.0f);
    }
    float *out = (float *)((char *)row->dst + x * shape->dst_pixel_stride) + channel;
    if (part) store_lanes(out, sum, lanes);
    else store(out, sum);
  }
}

/* Kernels wider than a chunk: each output on its own, in the same order. */
static void pool_wide(const pool_row *row, int x, int channel, int lanes) {
  const cvk_pool *shape = row->shape;
  const int mean = shape->mean;
  vf sum = SPLAT(mean ? 0.0f : -__builtin_inff());
  for (int kx = 0; kx < shape->kernel_width; kx++) {
    const int column = x * shape->stride - shape->pad_left + kx * shape->dilation;
    if (column < 0 || column >= shape->in_width) continue;
    vf down = SPLAT(mean ? 0.0f : -__builtin_inff());
    for (int ky = 0; ky < shape->kernel_height; ky++) {
      const float *in = row->rows[(ptrdiff_t)ky * shape->row_dilation];
      if (!in) continue;
      in = (const float *)((const char *)in + column * shape->src_pixel_stride) + channel;
      down = pool_two(down, lanes < LANES ? load_lanes(in, lanes) : load(in), mean);
    }
    sum = pool_two(sum, down, mean);
  }
  if (mean) {
    int count = row->counted * counted_columns(shape, x);
    sum = count > 0 ? sum / SPLAT((float)count) : SPLAT(0.0f);
  }
  float *out = (float *)((char *)row->dst + x * shape->dst_pixel_stride) + channel;
  if (lanes < LANES) store_lanes(out, sum, lanes);
  else store(out, sum);
}

void VARIANT(cvk_f32_pool)(float *dst, ptrdiff_t dst_stride, const float *const *rows, const int32_t *counted_rows,
                           int out_rows, const cvk_pool *shape) {
  const int reach = (shape->kernel_width - 1) * shape->dilation;
  const int outputs = reach < COLUMNS ? (COLUMNS - 1 - reach) / shape->stride + 1 : 0; /* of a chunk */
  for (int y = 0; y < out_rows; y++) {
    pool_row row = {shape, rows + (ptrdiff_t)y * shape->row_step, (float *)((char *)dst + y * dst_stride), 0};
    for (int ky = 0; ky < shape->kernel_height; ky++) row.counted += row.rows[(ptrdiff_t)ky * shape->row_dilation] != 0;
    if (counted_rows) row.counted = counted_rows[y];
    for (int c = 0; c < shape->channels; c += LANES) {
      const int lanes = shape->channels - c < LANES ? shape->channels - c : LANES;
      if (!outputs) {
        for (int x = 0; x < shape->out_width; x++) pool_wide(&row, x, c, lanes);
        continue;
      }
      for (int x = 0; x < shape->out_width; x += outputs) {
        int end = shape->out_width - x < outputs ? shape->out_width : x + outputs;
        if (lanes == LANES) {
          if (shape->mean) pool_chunk(&row, x, end, c, lanes, 1, 0);
          else pool_chunk(&row, x, end, c, lanes, 0, 0);
        } else {
          if (shape->mean) pool_chunk(&row, x, end, c, lanes, 1, 1);
          else pool_chunk(&row, x, end, c, lanes, 0, 1);
        }
      }
    }
  }
}
