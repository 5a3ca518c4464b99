/* Depthwise convolution over the vectors of network_lanes.h.
 *
 * A tile is a row of up to 8 output pixels of one vector of channels, in registers; every input is loaded once a kernel
 * row and used for all outputs that need it. A run is the tiles at one position of the image, all channels in turn, or,
 * where channels are few, the tiles of a row for one vector of channels: what is set up for a run costs as much as a
 * tile. */

enum { TILE = 8, BLOCK = CVK_DEPTHWISE_BLOCK };

typedef struct depthwise_run {
  const cvk_depthwise *shape;
  const float *const *rows;   /* of the output row */
  ptrdiff_t shift;            /* bytes from a row's first pixel to the first one that is in use */
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
  return (depthwise_end){run->low, run->high, run->shape->dst_pixel_stride, run->shape->residual_pixel_stride,
                         run->outputs, run->lanes};
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
        vf x[2 * TILE + 6];
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

/* The same for two rows of outputs at once, whose windows overlap: an input that both need is loaded once, and there
 * are twice as many sums, which hides how long each takes. Rows of the input must follow each other. */
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
            if (kx >= 0 && kx < size)
              sums[line][t] = FMA(x, load(weights + (1 + ky * size + kx) * BLOCK), sums[line][t]);
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
static __attribute__((noinline)) vf load_channels(const float *pixel, int channel, int multiplier, int lanes) {
  if (multiplier == 1) return lanes == LANES ? load(pixel + channel) : load_lanes(pixel + channel, lanes);
  float values[LANES];
  for (int i = 0; i < LANES; i++) values[i] = i < lanes ? pixel[(channel + i) / multiplier] : 0;
  return load(values);
}

/* Any kernel: the column is checked for every tap. `part`: of the channels, or each is for several outputs. */
inline_always void depthwise_taps(const depthwise_run *run, int x, const int part) {
  const cvk_depthwise *shape = run->shape;
  const depthwise_end end = end_of(run);
  const int channel = run->channel, stride = shape->stride, multiplier = shape->multiplier, in_width = shape->in_width;
  const ptrdiff_t pixel = shape->src_pixel_stride, step = stride * pixel;
  const float *weights = weights_of(run, channel) + BLOCK;
  vf sums[TILE], bias = load(weights - BLOCK);
  UNROLL for (int t = 0; t < TILE; t++) sums[t] = bias;
  for (int ky = 0; ky < shape->kernel_height; ky++) {
    const float *row = run->rows[(ptrdiff_t)ky * shape->row_dilation];
    if (!row) {
      weights += (ptrdiff_t)shape->kernel_width * BLOCK;
      continue;
    }
    for (int kx = 0; kx < shape->kernel_width; kx++, weights += BLOCK) {
      const vf w = load(weights);
      const int first = x * stride - shape->pad_left + kx * shape->dilation;
      const char *from = (const char *)row + first * pixel;
      if (!part && end.outputs == TILE && first >= 0 && first + (TILE - 1) * stride < in_width) {
        UNROLL for (int t = 0; t < TILE; t++)
          sums[t] = FMA(load((const float *)(from + t * step) + channel), w, sums[t]);
        continue;
      }
      UNROLL for (int t = 0; t < TILE; t++) {
        const int column = first + t * stride;
        if (t >= end.outputs || column < 0 || column >= in_width) continue;
        const float *p = (const float *)(from + t * step);
        sums[t] = FMA(part ? load_channels(p, channel, multiplier, end.lanes) : load(p + channel), w, sums[t]);
      }
    }
  }
  float results[TILE * LANES]; /* the sums are to stay in registers: they are not indexed by a variable */
  UNROLL for (int t = 0; t < TILE; t++) store(results + t * LANES, sums[t]);
  for (int t = 0; t < end.outputs; t++) {
    if (end.lanes < LANES) depthwise_store(end, load(results + t * LANES), t, 1, run->dst, run->residual);
    else depthwise_store(end, load(results + t * LANES), t, 0, run->dst, run->residual);
  }
}

static __attribute__((noinline)) void depthwise_any(const depthwise_run *run, int x) {
  if (run->lanes < LANES || run->shape->multiplier > 1) depthwise_taps(run, x, 1);
  else depthwise_taps(run, x, 0);
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
RUNS(1, 1)
RUNS(3, 1)
RUNS(3, 2)
RUNS(5, 1)
RUNS(5, 2)
RUNS(7, 1)
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
