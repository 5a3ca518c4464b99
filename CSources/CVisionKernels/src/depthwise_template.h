/* Depthwise convolution over the vectors of network_lanes.h.
 *
 * A tile is a row of up to 8 output pixels of one vector of channels, in registers; every input is loaded once a kernel
 * row and used for all outputs that need it. A run is the tiles of one place of the picture, all channels in turn, or,
 * where channels are few, the tiles of a row for one vector of channels: what is set up for a run costs as much as a tile. */

enum { TILE = 8, BLOCK = CVK_DEPTHWISE_BLOCK };

typedef struct depthwise_run {
  const cvk_depthwise *shape;
  const float *const *rows;   /* of the output row */
  ptrdiff_t at;               /* bytes from a row's first pixel to what the first tap of the first output reads */
  const float *packed, *residual;
  float *dst;
  ptrdiff_t block_size;       /* floats of the weights of a block of channels */
  int channel, channel_step;  /* of the first tile, and from tile to tile */
  ptrdiff_t src_step, dst_step, residual_step; /* from tile to tile, in bytes */
  ptrdiff_t dst_line, residual_line;           /* from row to row */
  int width;                  /* outputs of a tile, but for the last of a row */
  int count;                  /* tiles */
  int outputs;                /* pixels of a tile that are stored */
  int lanes;                  /* of the last vector of channels */
  uint32_t valid;             /* bit i: column i of a tile lies within the input and is needed */
  vf low, high;               /* what results are clamped to */
} depthwise_run;

#define AT(type, pointer, bytes) ((type *)((const char *)(pointer) + (bytes)))

/* What is needed to store, in registers: results could alias everything that is behind a pointer. */
typedef struct depthwise_end {
  vf low, high;
  ptrdiff_t dst_pixel, residual_pixel;
  int outputs, lanes;
} depthwise_end;

inline_always const float *weights_of(const depthwise_run *run, int channel) {
  return run->packed + channel / BLOCK * run->block_size + channel % BLOCK;
}

inline_always depthwise_end end_of(const depthwise_run *run) {
  return (depthwise_end){run->low, run->high, run->shape->dst_pixel_stride, run->shape->residual_pixel_stride, run->outputs,
                         run->lanes};
}

/* Output t of a tile. */
inline_always void depthwise_store(const depthwise_end end, vf sum, const int t, const int part, float *dst,
                                   const float *residual) {
  if (residual) {
    const float *more = AT(const float, residual, t * end.residual_pixel);
    sum = sum + (part ? load_lanes(more, end.lanes) : load(more));
  }
  sum = at_most(at_least(sum, end.low), end.high);
  float *out = (float *)((char *)dst + t * end.dst_pixel);
  if (part) store_lanes(out, sum, end.lanes);
  else store(out, sum);
}

/* Square kernels of side `size`. `most` outputs are computed; `edge`: some columns are not there. */
inline_always void depthwise_square(const depthwise_run *run, const int most, const int size, const int stride,
                                    const int edge, const int part) {
  const depthwise_end end = end_of(run);
  const ptrdiff_t pixel = run->shape->src_pixel_stride, row_dilation = run->shape->row_dilation;
  const ptrdiff_t src_step = run->src_step, dst_step = run->dst_step;
  const float *const *rows = run->rows;
  const float *residual = run->residual;
  const int columns = (most - 1) * stride + size;
  float *dst = run->dst;
  ptrdiff_t at = run->at;
  uint32_t valid = run->valid;
  int channel = run->channel;
  for (int i = run->count; i > 0; i--) {
    const float *weights = weights_of(run, channel);
    vf sums[TILE];
    vf bias = load(weights);
    UNROLL for (int t = 0; t < most; t++) sums[t] = bias;
    if (edge) __asm__("" : "+r"(valid)); /* tests of bits here, rather than before the loop and in memory */
    UNROLL for (int ky = 0; ky < size; ky++) {
      const float *row = rows[ky * row_dilation];
      if (!row) continue;
      vf w[7];
      UNROLL for (int kx = 0; kx < size; kx++) w[kx] = load(weights + (1 + ky * size + kx) * BLOCK);
      const char *from = (const char *)row + at;
      if (!edge && !part && MANY_REGISTERS) {
        /* All columns first: then neighbouring products belong to different sums and need not wait for each other. */
        vf x[2 * TILE + 5];
        UNROLL for (int c = 0; c < columns; c++) x[c] = load((const float *)(from + c * pixel));
        UNROLL for (int kx = 0; kx < size; kx++) {
          UNROLL for (int t = 0; t < most; t++) sums[t] = FMA(x[t * stride + kx], w[kx], sums[t]);
        }
        continue;
      }
      UNROLL for (int c = 0; c < columns; c++) {
        if (edge && !(valid >> c & 1)) continue;
        const float *p = (const float *)(from + c * pixel);
        vf x = part ? load_lanes(p, end.lanes) : load(p);
        UNROLL for (int t = 0; t < most; t++) {
          int kx = c - t * stride;
          if (kx >= 0 && kx < size) sums[t] = FMA(x, w[kx], sums[t]);
        }
      }
    }
    UNROLL for (int t = 0; t < most; t++) {
      if (edge && t >= end.outputs) break;
      depthwise_store(end, sums[t], t, part, dst, residual);
    }
    at += src_step;
    dst = (float *)((char *)dst + dst_step);
    if (residual) residual = AT(const float, residual, run->residual_step);
    channel += run->channel_step;
  }
}

/* The same for two rows of outputs at once, whose windows overlap: an input that both need is loaded once, and there are
 * twice as many sums, which hides how long each takes. Rows of the input must follow each other. */
inline_always void depthwise_pair(const depthwise_run *run, const int most, const int size, const int stride,
                                  const int edge) {
  const depthwise_end end = end_of(run);
  const ptrdiff_t pixel = run->shape->src_pixel_stride, src_step = run->src_step, dst_step = run->dst_step;
  const float *const *rows = run->rows;
  const float *residual = run->residual;
  float *dst = run->dst;
  ptrdiff_t at = run->at;
  uint32_t valid = run->valid;
  int channel = run->channel;
  for (int i = run->count; i > 0; i--) {
    const float *weights = weights_of(run, channel);
    vf sums[2][TILE];
    vf bias = load(weights);
    UNROLL for (int t = 0; t < most; t++) sums[0][t] = sums[1][t] = bias;
    if (edge) __asm__("" : "+r"(valid));
    UNROLL for (int r = 0; r < size + stride; r++) {
      if (!rows[r]) continue;
      const char *from = (const char *)rows[r] + at;
      UNROLL for (int c = 0; c < (most - 1) * stride + size; c++) {
        if (edge && !(valid >> c & 1)) continue;
        vf x = load((const float *)(from + c * pixel));
        UNROLL for (int line = 0; line < 2; line++) {
          const int ky = r - line * stride;
          if (ky < 0 || ky >= size) continue;
          UNROLL for (int t = 0; t < most; t++) {
            const int kx = c - t * stride;
            if (kx >= 0 && kx < size) sums[line][t] = FMA(x, load(weights + (1 + ky * size + kx) * BLOCK), sums[line][t]);
          }
        }
      }
    }
    UNROLL for (int line = 0; line < 2; line++) {
      float *out = (float *)((char *)dst + line * run->dst_line);
      const float *more = residual ? AT(const float, residual, line * run->residual_line) : 0;
      UNROLL for (int t = 0; t < most; t++) {
        if (edge && t >= end.outputs) break;
        depthwise_store(end, sums[line][t], t, 0, out, more);
      }
    }
    at += src_step;
    dst = (float *)((char *)dst + dst_step);
    if (residual) residual = AT(const float, residual, run->residual_step);
    channel += run->channel_step;
  }
}

/* Input channels of the outputs from `channel` on: as they lie, or each several times. */
inline_always vf load_channels(const float *pixel, int channel, int multiplier, int lanes) {
  if (multiplier == 1) return lanes == LANES ? load(pixel + channel) : load_lanes(pixel + channel, lanes);
  float values[LANES];
  for (int i = 0; i < LANES; i++) values[i] = i < lanes ? pixel[(channel + i) / multiplier] : 0;
  return load(values);
}

/* Any kernel: the column is looked at for every tap. */
static void depthwise_any(const depthwise_run *run, int x) {
  const cvk_depthwise *shape = run->shape;
  const int channel = run->channel;
  const float *weights = weights_of(run, channel);
  vf sums[TILE], bias = load(weights);
  for (int t = 0; t < TILE; t++) sums[t] = bias;
  for (int ky = 0; ky < shape->kernel_height; ky++) {
    const float *row = run->rows[(ptrdiff_t)ky * shape->row_dilation];
    if (!row) continue;
    for (int kx = 0; kx < shape->kernel_width; kx++) {
      vf w = load(weights + (1 + ky * shape->kernel_width + kx) * BLOCK);
      int first = x * shape->stride - shape->pad_left + kx * shape->dilation;
      for (int t = 0; t < TILE; t++) {
        int column = first + t * shape->stride;
        if (t >= run->outputs || column < 0 || column >= shape->in_width) continue;
        const float *pixel = AT(const float, row, column * shape->src_pixel_stride);
        sums[t] = FMA(load_channels(pixel, channel, shape->multiplier, run->lanes), w, sums[t]);
      }
    }
  }
  for (int t = 0; t < run->outputs; t++) {
    if (run->lanes < LANES) depthwise_store(end_of(run), sums[t], t, 1, run->dst, run->residual);
    else depthwise_store(end_of(run), sums[t], t, 0, run->dst, run->residual);
  }
}

/* One function a case, so that each has the registers for itself. */
#define RUNS(size, stride) \
  static __attribute__((noinline)) void depthwise_##size##_##stride(const depthwise_run *run, int whole, int part) { \
    if (whole && run->outputs == TILE) { \
      if (part) depthwise_square(run, TILE, size, stride, 0, 1); \
      else depthwise_square(run, TILE, size, stride, 0, 0); \
    } else if (whole) { \
      if (part) depthwise_square(run, TILE - 1, size, stride, 0, 1); \
      else depthwise_square(run, TILE - 1, size, stride, 0, 0); \
    } else if (run->outputs > TILE / 2) { \
      if (part) depthwise_square(run, TILE, size, stride, 1, 1); \
      else depthwise_square(run, TILE, size, stride, 1, 0); \
    } else { \
      if (part) depthwise_square(run, TILE / 2, size, stride, 1, 1); \
      else depthwise_square(run, TILE / 2, size, stride, 1, 0); \
    } \
  }
RUNS(3, 1)
RUNS(3, 2)
RUNS(5, 1)
RUNS(5, 2)
#undef RUNS

/* Two rows at once pay where a tile's sums are few and short. */
static __attribute__((noinline)) void depthwise_pair_3_1(const depthwise_run *run, int whole, int part) {
  if (part) {
    depthwise_run line = *run;
    depthwise_3_1(&line, whole, part);
    line.rows++, line.dst = (float *)((char *)line.dst + run->dst_line);
    if (line.residual) line.residual = AT(const float, line.residual, run->residual_line);
    depthwise_3_1(&line, whole, part);
  } else if (whole && run->outputs == TILE) {
    depthwise_pair(run, TILE, 3, 1, 0);
  } else if (whole) {
    depthwise_pair(run, TILE - 1, 3, 1, 0);
  } else if (run->outputs > TILE / 2) {
    depthwise_pair(run, TILE, 3, 1, 1);
  } else {
    depthwise_pair(run, TILE / 2, 3, 1, 1);
  }
}

typedef void (*depthwise_function)(const depthwise_run *run, int whole, int part);

static depthwise_function depthwise_function_of(const cvk_depthwise *shape) {
  if (shape->kernel_width != shape->kernel_height || shape->dilation != 1 || shape->multiplier != 1) return 0;
  if (shape->kernel_width == 3) return shape->stride == 1 ? depthwise_3_1 : shape->stride == 2 ? depthwise_3_2 : 0;
  if (shape->kernel_width == 5) return shape->stride == 1 ? depthwise_5_1 : shape->stride == 2 ? depthwise_5_2 : 0;
  return 0;
}

/* The function for two rows at once, where there is one. */
static depthwise_function depthwise_pair_function_of(const cvk_depthwise *shape) {
  const int overlap = shape->row_dilation == 1 && shape->row_step == 1;
  return MANY_REGISTERS && overlap && depthwise_function_of(shape) == depthwise_3_1 ? depthwise_pair_3_1 : 0;
}

/* Bit i: column `first` + i is within the input, i being less than `count`. */
static uint32_t valid_columns(int first, int count, int in_width) {
  uint32_t bits = 0;
  for (int i = 0; i < count; i++)
    if (first + i >= 0 && first + i < in_width) bits |= (uint32_t)1 << i;
  return bits;
}

/* Outputs of a tile: 7, where no more tiles of 7 than of 8 are needed (many networks' widths are 7 times a power of 2). */
static int tile_width(const cvk_depthwise *shape) {
  return (shape->out_width + TILE - 2) / (TILE - 1) > (shape->out_width + TILE - 1) / TILE ? TILE : TILE - 1;
}

/* Whether all columns that the outputs [x, x + width) read are there. */
static int is_whole(const cvk_depthwise *shape, int x, int width) {
  int first = x * shape->stride - shape->pad_left, columns = (width - 1) * shape->stride + shape->kernel_width;
  return shape->out_width - x >= width && first >= 0 && first + columns <= shape->in_width;
}

/* Outputs from x on, of channels from `channel` on: `tiles` tiles of a vector of channels, or a tile of `vectors` vectors. */
static void depthwise_place(depthwise_run *run, depthwise_function function, float *dst, const float *residual, int x,
                            int tiles, int channel, int vectors) {
  const cvk_depthwise *shape = run->shape;
  const int channels = shape->channels * shape->multiplier;
  const int first = x * shape->stride - shape->pad_left, left = shape->out_width - x;
  run->outputs = left < run->width ? left : run->width;
  run->at = first * shape->src_pixel_stride + channel * (ptrdiff_t)sizeof(float);
  run->dst = (float *)((char *)dst + x * shape->dst_pixel_stride) + channel;
  run->residual = residual ? AT(const float, residual, x * shape->residual_pixel_stride) + channel : 0;
  run->lanes = channels - channel < LANES ? channels - channel : LANES;
  run->channel = channel;
  if (!function) {
    depthwise_any(run, x);
    return;
  }
  const int whole = is_whole(shape, x, run->width);
  if (!whole) run->valid = valid_columns(first, (run->outputs - 1) * shape->stride + shape->kernel_width, shape->in_width);
  if (vectors == 1) {
    run->src_step = run->width * shape->stride * shape->src_pixel_stride;
    run->dst_step = run->width * shape->dst_pixel_stride, run->residual_step = run->width * shape->residual_pixel_stride;
    run->channel_step = 0, run->count = tiles;
  } else {
    run->src_step = run->dst_step = run->residual_step = LANES * sizeof(float);
    run->channel_step = LANES, run->count = vectors;
  }
  function(run, whole, run->lanes < LANES);
}

/* Tiles from x on that can be one run: whole ones, or one of another kind. */
static int tiles_from(const cvk_depthwise *shape, int x, int width) {
  int tiles = 1;
  if (is_whole(shape, x, width))
    while (is_whole(shape, x + tiles * width, width)) tiles++;
  return tiles;
}

/* Channels that are worked on together: what the tiles of a row read of them, and their weights, stays in the first cache,
 * so that the next tile, and maybe the next row, finds there what it shares with the last. */
static int group_of(const cvk_depthwise *shape) {
  enum { CACHE = 28 << 10 };
  const int channels = shape->channels * shape->multiplier;
  /* Neighbours share little, and what is done once a group is not worth it. */
  if (shape->out_width <= TILE || (shape->kernel_width <= 3 && shape->stride == 1)) return channels;
  const ptrdiff_t columns = (TILE - 1) * (ptrdiff_t)shape->stride + shape->kernel_width;
  const ptrdiff_t each = 4 * (shape->kernel_height * (columns + shape->kernel_width) + 1), most = CACHE / each;
  if (most >= channels) return channels;
  const int groups = most < BLOCK ? channels / BLOCK + 1 : (int)((channels + most - 1) / most);
  return ((channels + groups - 1) / groups + BLOCK - 1) / BLOCK * BLOCK;
}

/* One row of the channels [first, end). */
static void depthwise_row(depthwise_run *run, depthwise_function function, float *dst, const float *residual, int first,
                          int end) {
  const cvk_depthwise *shape = run->shape;
  const int vectors = (end - first) / LANES;
  if (function && vectors > 1) {
    for (int x = 0; x < shape->out_width; x += run->width) {
      depthwise_place(run, function, dst, residual, x, 1, first, vectors);
      if ((end - first) % LANES) depthwise_place(run, function, dst, residual, x, 1, first + vectors * LANES, 1);
    }
    return;
  }
  for (int c = first; c < end; c += LANES)
    for (int x = 0, tiles; x < shape->out_width; x += tiles * run->width) {
      tiles = function ? tiles_from(shape, x, run->width) : 1;
      depthwise_place(run, function, dst, residual, x, tiles, c, 1);
    }
}

void VARIANT(cvk_f32_depthwise)(float *dst, ptrdiff_t dst_stride, const float *const *rows, const float *packed,
                                const float *residual, ptrdiff_t residual_stride, int out_rows,
                                const cvk_depthwise *shape) {
  const enum cvk_activation_kind kind = shape->activation.kind;
  const depthwise_function one = depthwise_function_of(shape), two = depthwise_pair_function_of(shape);
  depthwise_run run = {.shape = shape,
                       .packed = packed,
                       .width = tile_width(shape),
                       .dst_line = dst_stride,
                       .residual_line = residual_stride,
                       .block_size = BLOCK * ((ptrdiff_t)shape->kernel_width * shape->kernel_height + 1),
                       .low = SPLAT(kind == CVK_ACTIVATION_CLAMP ? shape->activation.a : -__builtin_inff()),
                       .high = SPLAT(kind == CVK_ACTIVATION_CLAMP ? shape->activation.b : __builtin_inff())};
  const int channels = shape->channels * shape->multiplier, group = group_of(shape);
  for (int first = 0; first < channels; first += group)
    for (int y = 0, lines; y < out_rows; y += lines) {
      lines = two && y + 2 <= out_rows ? 2 : 1;
      const int end = channels - first < group ? channels : first + group;
      run.rows = rows + (ptrdiff_t)y * shape->row_step;
      depthwise_row(&run, lines == 2 ? two : one, (float *)((char *)dst + y * dst_stride),
                    residual ? AT(const float, residual, y * residual_stride) : 0, first, end);
    }
  if (kind == CVK_ACTIVATION_NONE || kind == CVK_ACTIVATION_CLAMP) return;
  for (int y = 0; y < out_rows; y++)
    VARIANT(cvk_f32_activate)((float *)((char *)dst + y * dst_stride), shape->dst_pixel_stride, shape->out_width, channels,
                              &shape->activation);
}
