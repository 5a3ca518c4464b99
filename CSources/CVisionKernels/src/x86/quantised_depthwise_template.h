/* Depthwise convolutions of bytes over the vectors of quantised_lanes.h.
 *
 * The instruction sums four neighbouring bytes, but the neighbours of a byte are the other channels of its pixel: four
 * taps have to be interleaved first. Taps are taken down the columns, so that an interleaved column serves every result
 * that reads it: columns of a chunk are interleaved into a buffer, then the results of the chunk are computed from it.
 * A fifth row is interleaved from four neighbouring columns instead. Where a block has at most half of its channels,
 * the right half of the row goes through the registers' other half. */

enum { MOST_COLUMNS = 36, MOST_PLANES = 2, INTERLEAVED = 4 * VECTOR_BYTES /* bytes of an interleaved column */ };

/* One call for a block, or for one half of it where registers hold 32 bytes. */
struct depthwise_job {
  const cvk_q8_depthwise *g;
  const uint8_t *const *rows;
  const uint8_t *block; /* packed numbers, of the half */
  int channel, count;   /* first channel, channels that exist from there on */
  int second;           /* results from one of the left half to the one of the right half beside it; 0: no halves */
  struct rounding rounding;
};

inline_always void interleave(vi *interleaved, vi a, vi b, vi c, vi d) {
  vi ab_low = interleave_low_8(a, b), ab_high = interleave_high_8(a, b), cd_low = interleave_low_8(c, d),
      cd_high = interleave_high_8(c, d);
  interleaved[0] = interleave_low_16(ab_low, cd_low);
  interleaved[1] = interleave_high_16(ab_low, cd_low);
  interleaved[2] = interleave_low_16(ab_high, cd_high);
  interleaved[3] = interleave_high_16(ab_high, cd_high);
}

inline_always const uint8_t *pixel_at(const struct depthwise_job *job, int row, int ix) {
  const cvk_q8_depthwise *g = job->g;
  return (ix >= 0 && ix < g->in_width ? job->rows[row] + ix * g->src_pixel : g->padding) + job->channel;
}

/* Some pixel of a row, with its partner in the right half. */
inline_always vi load_at(const struct depthwise_job *job, int row, int ix) {
  if (!job->second) return load_bytes(pixel_at(job, row, ix), job->count);
  return load_pair(pixel_at(job, row, ix), pixel_at(job, row, ix + job->second * job->g->stride_x), job->count);
}

/* Column ix of rows [row, row + rows), rows <= 4: what is missing weighs nothing. */
inline_always void interleave_down(const struct depthwise_job *job, vi *interleaved, int row, int rows, int ix) {
  vi v[4];
  UNROLLED for (int i = 0; i < 4; i++) v[i] = i < rows ? load_at(job, row + i, ix) : no_bytes();
  interleave(interleaved, v[0], v[1], v[2], v[3]);
}

inline_always void interleave_across(const struct depthwise_job *job, vi *interleaved, int row, int ix) {
  vi v[4];
  UNROLLED for (int i = 0; i < 4; i++) v[i] = load_at(job, row, ix + i);
  interleave(interleaved, v[0], v[1], v[2], v[3]);
}

/* `second` is where the right half's bytes go; null without halves. */
inline_always void store_sums(uint8_t *dst, uint8_t *second, const vi *sums, const uint8_t *block, int count,
                              const struct rounding *r) {
  vi v[4];
  UNROLLED for (int q = 0; q < 4; q++) v[q] = rounded(sums[q], (const float *)(const void *)(block + 256 + 64 * q));
  vi bytes = bytes_of(v[0], v[1], v[2], v[3], r);
  if (PAIRS && second) {
    store_pair(dst, second, bytes, count);
  } else {
    store_bytes(dst, bytes, count);
  }
}

/* The shape of a kernel; constants wherever results_body is called for a common one. */
struct shape {
  int width, planes_down, across, stride, dilation;
};

/* One quarter of the channels at a time: its weights and the columns that neighbouring results share fit the registers.
 * The caller pins the sums afterwards: compilers like to load for all quarters first, and to spill what they loaded. */
inline_always void add_terms(vi sums[][4], const uint8_t *block, const struct shape s, const int outputs, const int q,
                             const uint8_t *columns) {
  const uint8_t *term = block + 512 + 64 * q, *plane = columns + q * VECTOR_BYTES;
#define ADD_TERM(column) \
  do { \
    weights b = weights_of(load_vector(term)); \
    UNROLLED for (int i = 0; i < outputs; i++) { \
      vi bytes = load_vector(plane + (ptrdiff_t)(i * s.stride + (column)) * INTERLEAVED); \
      sums[i][q] = add_products(sums[i][q], activations_of(bytes), b); \
    } \
    term += 256; \
  } while (0)
  for (int p = 0; p < s.planes_down; p++, plane += MOST_COLUMNS * INTERLEAVED)
    for (int k = 0; k < s.width; k++) ADD_TERM(k * s.dilation);
  if (s.across)
    for (int k = 0; k < s.width; k += 4) ADD_TERM(k + 4 <= s.width ? k : s.width - 4);
#undef ADD_TERM
}

/* `count` results, the first of which reads `columns` from the start. */
inline_always void results_of_chunk(const struct depthwise_job *job, const struct shape s, uint8_t *dst,
                                      const uint8_t *columns, int count) {
  const uint8_t *block = job->block;
  const struct rounding rounding = job->rounding;
  const ptrdiff_t pixel = job->g->dst_pixel;
  const int channels = job->count;
  dst += job->channel;
  uint8_t *other = job->second ? dst + job->second * pixel : 0;
#define OTHER(x) (other ? other + (x) * pixel : 0)
  int x = 0;
  while (x < count) {
    vi sums[OUTPUTS][4];
    if (count >= OUTPUTS) {
      if (x > count - OUTPUTS) x = count - OUTPUTS; /* some of them a second time */
      UNROLLED for (int q = 0; q < 4; q++) {
        UNROLLED for (int i = 0; i < OUTPUTS; i++) sums[i][q] = load_vector(block + 64 * q);
        add_terms(sums, block, s, OUTPUTS, q, columns + (ptrdiff_t)(x * s.stride) * INTERLEAVED);
        UNROLLED for (int i = 0; i < OUTPUTS; i++) PIN(sums[i][q]);
      }
      UNROLLED for (int i = 0; i < OUTPUTS; i++)
        store_sums(dst + (x + i) * pixel, OTHER(x + i), sums[i], block, channels, &rounding);
      x += OUTPUTS;
    } else {
      UNROLLED for (int q = 0; q < 4; q++) {
        sums[0][q] = load_vector(block + 64 * q);
        add_terms(sums, block, s, 1, q, columns + (ptrdiff_t)(x * s.stride) * INTERLEAVED);
      }
      store_sums(dst + x * pixel, OTHER(x), sums[0], block, channels, &rounding);
      x++;
    }
  }
#undef OTHER
}

#define CHUNK(name, width, planes_down, across, stride, dilation) \
  static __attribute__((noinline)) void name(const struct depthwise_job *job, uint8_t *dst, const uint8_t *columns, \
                                             int count) { \
    results_of_chunk(job, (struct shape){width, planes_down, across, stride, dilation}, dst, columns, count); \
  }
CHUNK(chunk_3_1, 3, 1, 0, 1, 1)
CHUNK(chunk_3_2, 3, 1, 0, 2, 1)
CHUNK(chunk_5_1, 5, 1, 1, 1, 1)
CHUNK(chunk_5_2, 5, 1, 1, 2, 1)
CHUNK(chunk_any, job->g->kernel_width, cvk_q8_planes_down(job->g), cvk_q8_is_across(job->g), job->g->stride_x,
        job->g->dilation_x)

/* Interleaves `count` columns from column `first`: of `rows` rows from `row` on, or across the row `row` when `rows` is
 * 0. What lies outside the image takes the slow path. `rows`, `whole` (all channels of a vector exist) and `paired` are
 * constants. */
inline_always void interleave_columns_body(const struct depthwise_job *job, const int rows, const int whole,
                                      const int paired, vi *to, int row, int first, int count) {
  const cvk_q8_depthwise *g = job->g;
  /* columns that an interleaved one covers */
  const int width = rows ? 1 : 4, channels = whole ? VECTOR_BYTES : job->count;
  const int apart = paired ? job->second * g->stride_x : 0;
  int ix = first, end = first + count, inside = g->in_width - width - apart + 1;
  if (inside > end) inside = end;
  for (; ix < end && ix < 0; ix++, to += 4)
    rows ? interleave_down(job, to, row, rows, ix) : interleave_across(job, to, row, ix);
  const uint8_t *at[4];
  const ptrdiff_t step = g->src_pixel;
  UNROLLED for (int i = 0; i < (rows ? rows : 1); i++)
    at[i] = ix < inside ? job->rows[row + i] + ix * step + job->channel : 0;
  for (; ix < inside; ix++, to += 4) {
    vi v[4];
    UNROLLED for (int i = 0; i < 4; i++) {
      const uint8_t *pixel = rows ? at[i < rows ? i : 0] : at[0] + i * step;
      v[i] = rows && i >= rows ? no_bytes()
             : paired          ? load_pair(pixel, pixel + apart * step, channels)
                               : load_bytes(pixel, channels);
    }
    interleave(to, v[0], v[1], v[2], v[3]);
    UNROLLED for (int i = 0; i < (rows ? rows : 1); i++) at[i] += step;
  }
  for (; ix < end; ix++, to += 4) rows ? interleave_down(job, to, row, rows, ix) : interleave_across(job, to, row, ix);
}

static void interleave_columns(const struct depthwise_job *job, int rows, vi *to, int row, int first, int count) {
#define CASE(rows) \
  case rows: \
    if (PAIRS && job->second) { \
      interleave_columns_body(job, rows, 0, 1, to, row, first, count); \
    } else if (job->count == VECTOR_BYTES) { \
      interleave_columns_body(job, rows, 1, 0, to, row, first, count); \
    } else { \
      interleave_columns_body(job, rows, 0, 0, to, row, first, count); \
    } \
    break
  switch (rows) {
    CASE(0);
    CASE(1);
    CASE(2);
    CASE(3);
    CASE(4);
  }
#undef CASE
}

static void depthwise_by_chunks(const struct depthwise_job *job, uint8_t *dst) {
  const cvk_q8_depthwise *g = job->g;
  _Alignas(64) uint8_t columns[MOST_PLANES * MOST_COLUMNS * INTERLEAVED];
  const int kw = g->kernel_width, kh = g->kernel_height, down = cvk_q8_planes_down(g), across = cvk_q8_is_across(g);
  const int reach = (kw - 1) * g->dilation_x + 1, most = (MOST_COLUMNS - reach) / g->stride_x + 1;
  const int width = g->out_width - job->second, chunks = (width + most - 1) / most;
  for (int i = 0; i < chunks; i++) {
    int x0 = (int)((int64_t)width * i / chunks), x1 = (int)((int64_t)width * (i + 1) / chunks);
    int first = x0 * g->stride_x - g->pad_left, count = (x1 - x0 - 1) * g->stride_x + reach;
    for (int p = 0; p < down; p++)
      interleave_columns(job, kh - 4 * p < 4 ? kh - 4 * p : 4,
                         (vi *)(void *)(columns + (size_t)p * MOST_COLUMNS * INTERLEAVED),
                    4 * p, first, count);
    if (across)
      interleave_columns(job, 0, (vi *)(void *)(columns + (size_t)down * MOST_COLUMNS * INTERLEAVED), kh - 1, first,
                         count - 3);

    uint8_t *out = dst + x0 * g->dst_pixel;
    int plain = g->dilation_x == 1 && kw == kh && (g->stride_x == 1 || g->stride_x == 2);
    if (plain && kw == 3) {
      (g->stride_x == 1 ? chunk_3_1 : chunk_3_2)(job, out, columns, x1 - x0);
    } else if (plain && kw == 5) {
      (g->stride_x == 1 ? chunk_5_1 : chunk_5_2)(job, out, columns, x1 - x0);
    } else {
      chunk_any(job, out, columns, x1 - x0);
    }
  }
}

/* Kernels too large for the buffer: each result interleaves its own taps. */
static void depthwise_one_by_one(const struct depthwise_job *job, uint8_t *dst) {
  const cvk_q8_depthwise *g = job->g;
  const int across = cvk_q8_is_across(g), down = cvk_q8_planes_down(g);
  for (int x = 0; x < g->out_width; x++, dst += g->dst_pixel) {
    vi sums[4], interleaved[4];
    UNROLLED for (int q = 0; q < 4; q++) sums[q] = load_vector(job->block + 64 * q);
    const uint8_t *term = job->block + 512;
    int first = x * g->stride_x - g->pad_left;
    for (int p = 0; p < down; p++) {
      int rows = g->kernel_height - 4 * p < 4 ? g->kernel_height - 4 * p : 4;
      for (int k = 0; k < g->kernel_width; k++, term += 256) {
        interleave_down(job, interleaved, 4 * p, rows, first + k * g->dilation_x);
        UNROLLED for (int q = 0; q < 4; q++)
          sums[q] = add_products(sums[q], activations_of(interleaved[q]), weights_of(load_vector(term + 64 * q)));
      }
    }
    for (int k = 0; across && k < g->kernel_width; k += 4, term += 256) {
      interleave_across(job, interleaved, g->kernel_height - 1, first + cvk_q8_across_column(g, k / 4));
      UNROLLED for (int q = 0; q < 4; q++)
        sums[q] = add_products(sums[q], activations_of(interleaved[q]), weights_of(load_vector(term + 64 * q)));
    }
    store_sums(dst + job->channel, 0, sums, job->block, job->count, &job->rounding);
  }
}

void VARIANT(cvk_u8_depthwise)(uint8_t *dst, const uint8_t *const *rows, const uint8_t *packed,
                               const cvk_q8_depthwise *g, int block0, int block1) {
  const size_t block_bytes = cvk_q8_block_bytes(g->kernel_width, g->kernel_height, g->dilation_x);
  const int fits = cvk_q8_planes_down(g) + cvk_q8_is_across(g) <= MOST_PLANES &&
                   (int64_t)(g->kernel_width - 1) * g->dilation_x + 1 + 3 * (int64_t)g->stride_x <= MOST_COLUMNS;
  for (int block = block0; block < block1; block++) {
    for (int half = 0; half < 64 / VECTOR_BYTES; half++) {
      int channel = block * CVK_Q8_BLOCK + half * VECTOR_BYTES, left = g->channels - channel;
      if (left <= 0) break;
      struct depthwise_job job = {g, rows, packed + block_bytes * (size_t)block + half * VECTOR_BYTES, channel,
                                  left < VECTOR_BYTES ? left : VECTOR_BYTES, 0, rounding_of(&g->output)};
      if (fits) {
        if (PAIRS && left <= VECTOR_BYTES / 2) job.second = g->out_width / 2;
        depthwise_by_chunks(&job, dst);
      } else {
        depthwise_one_by_one(&job, dst);
      }
    }
  }
}
