/* Depthwise convolution over the vectors of network_lanes.h.
 *
 * A tile is a row of up to 8 output pixels of one vector of channels, in registers; every input is loaded once a kernel
 * row and used for all outputs that need it. A run is the same tile at places a fixed step apart: the channels of one
 * place of the picture while the weights are few, else the tiles of a row while the weights stay in the cache. */

enum { TILE = 8, BLOCK = CVK_DEPTHWISE_BLOCK };

typedef struct depthwise_run {
  const cvk_depthwise *shape;
  const float *const *rows;   /* of the output row */
  ptrdiff_t at;               /* bytes from a row's first pixel to what the first tap of the first output reads */
  const float *weights, *residual;
  float *dst;
  ptrdiff_t src_step, dst_step, residual_step, weight_step; /* from tile to tile, in bytes */
  int count;                  /* tiles */
  int outputs;                /* pixels of a tile that are stored */
  int lanes;                  /* of the last vector of channels */
  uint32_t valid;             /* bit i: column i of a tile lies within the input and is needed */
  vf low, high;               /* what results are clamped to */
} depthwise_run;

#define AT(type, pointer, bytes) ((type *)((const char *)(pointer) + (bytes)))

inline_always void depthwise_store(const depthwise_run *run, vf *sums, const int most, const int part, float *dst,
                                   const float *residual) {
  UNROLL for (int t = 0; t < most; t++) {
    if (t >= run->outputs) break;
    vf v = sums[t];
    float *out = (float *)((char *)dst + t * run->shape->dst_pixel_stride);
    if (residual) {
      const float *more = AT(const float, residual, t * run->shape->residual_pixel_stride);
      v = v + (part ? load_lanes(more, run->lanes) : load(more));
    }
    v = at_most(at_least(v, run->low), run->high);
    if (part) store_lanes(out, v, run->lanes);
    else store(out, v);
  }
}

/* Square kernels of side `size`. `most` outputs are computed; `edge`: some columns are not there. */
inline_always void depthwise_square(const depthwise_run *run, const int most, const int size, const int stride,
                                    const int edge, const int part) {
  const ptrdiff_t pixel = run->shape->src_pixel_stride;
  const int row_dilation = run->shape->row_dilation;
  const float *weights = run->weights, *residual = run->residual;
  float *dst = run->dst;
  ptrdiff_t at = run->at;
  const uint32_t valid = run->valid;
  for (int i = run->count; i > 0; i--) {
    vf sums[TILE];
    vf bias = load(weights);
    UNROLL for (int t = 0; t < most; t++) sums[t] = bias;
    UNROLL for (int ky = 0; ky < size; ky++) {
      const float *row = run->rows[ky * row_dilation];
      if (!row) continue;
      vf w[7];
      UNROLL for (int kx = 0; kx < size; kx++) w[kx] = load(weights + (1 + ky * size + kx) * BLOCK);
      const char *from = (const char *)row + at;
      UNROLL for (int column = 0; column < (most - 1) * stride + size; column++) {
        if (edge && !(valid >> column & 1)) continue;
        const float *p = (const float *)(from + column * pixel);
        vf x = part ? load_lanes(p, run->lanes) : load(p);
        UNROLL for (int t = 0; t < most; t++) {
          int kx = column - t * stride;
          if (kx >= 0 && kx < size) sums[t] = FMA(x, w[kx], sums[t]);
        }
      }
    }
    depthwise_store(run, sums, most, part, dst, residual);
    at += run->src_step;
    dst = (float *)((char *)dst + run->dst_step);
    if (residual) residual = AT(const float, residual, run->residual_step);
    weights = AT(const float, weights, run->weight_step);
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
static void depthwise_any(const depthwise_run *run, int x, int channel) {
  const cvk_depthwise *shape = run->shape;
  vf sums[TILE], bias = load(run->weights);
  for (int t = 0; t < TILE; t++) sums[t] = bias;
  for (int ky = 0; ky < shape->kernel_height; ky++) {
    const float *row = run->rows[(ptrdiff_t)ky * shape->row_dilation];
    if (!row) continue;
    for (int kx = 0; kx < shape->kernel_width; kx++) {
      vf w = load(run->weights + (1 + ky * shape->kernel_width + kx) * BLOCK);
      int first = x * shape->stride - shape->pad_left + kx * shape->dilation;
      for (int t = 0; t < TILE; t++) {
        int column = first + t * shape->stride;
        if (t >= run->outputs || column < 0 || column >= shape->in_width) continue;
        const float *pixel = AT(const float, row, column * shape->src_pixel_stride);
        sums[t] = FMA(load_channels(pixel, channel, shape->multiplier, run->lanes), w, sums[t]);
      }
    }
  }
  if (run->lanes < LANES) depthwise_store(run, sums, TILE, 1, run->dst, run->residual);
  else depthwise_store(run, sums, TILE, 0, run->dst, run->residual);
}

/* One function a case, so that each has the registers for itself. */
#define RUNS(size, stride) \
  static __attribute__((noinline)) void depthwise_##size##_##stride(const depthwise_run *run, int whole, int part) { \
    if (whole) { \
      if (part) depthwise_square(run, TILE, size, stride, 0, 1); \
      else depthwise_square(run, TILE, size, stride, 0, 0); \
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

typedef void (*depthwise_function)(const depthwise_run *run, int whole, int part);

static depthwise_function depthwise_function_of(const cvk_depthwise *shape) {
  if (shape->kernel_width != shape->kernel_height || shape->dilation != 1 || shape->multiplier != 1) return 0;
  if (shape->kernel_width == 3) return shape->stride == 1 ? depthwise_3_1 : shape->stride == 2 ? depthwise_3_2 : 0;
  if (shape->kernel_width == 5) return shape->stride == 1 ? depthwise_5_1 : shape->stride == 2 ? depthwise_5_2 : 0;
  return 0;
}

/* Bit i: column `first` + i is within the input, i being less than `count`. */
static uint32_t valid_columns(int first, int count, int in_width) {
  uint32_t bits = 0;
  for (int i = 0; i < count; i++)
    if (first + i >= 0 && first + i < in_width) bits |= (uint32_t)1 << i;
  return bits;
}

/* Whether all columns that the outputs [x, x + TILE) read are there. */
static int is_whole(const cvk_depthwise *shape, int x) {
  int first = x * shape->stride - shape->pad_left, columns = (TILE - 1) * shape->stride + shape->kernel_width;
  return shape->out_width - x >= TILE && first >= 0 && first + columns <= shape->in_width;
}

/* Outputs from x on, of channels from `channel` on: `tiles` tiles of a vector of channels, or a tile of `vectors` vectors,
 * each a block of channels from the next. */
static void depthwise_place(depthwise_run *run, depthwise_function function, float *dst, const float *residual,
                            const float *packed, int x, int tiles, int channel, int vectors) {
  const cvk_depthwise *shape = run->shape;
  const int channels = shape->channels * shape->multiplier, taps = shape->kernel_width * shape->kernel_height;
  const int first = x * shape->stride - shape->pad_left, left = shape->out_width - x;
  run->outputs = left < TILE ? left : TILE;
  run->at = first * shape->src_pixel_stride + channel * (ptrdiff_t)sizeof(float);
  run->dst = (float *)((char *)dst + x * shape->dst_pixel_stride) + channel;
  run->residual = residual ? AT(const float, residual, x * shape->residual_pixel_stride) + channel : 0;
  run->weights = packed + cvk_depthwise_packed_size(channel / BLOCK * BLOCK, taps) + channel % BLOCK;
  run->lanes = channels - channel < LANES ? channels - channel : LANES;
  if (!function) {
    depthwise_any(run, x, channel);
    return;
  }
  const int whole = is_whole(shape, x);
  if (!whole) run->valid = valid_columns(first, (run->outputs - 1) * shape->stride + shape->kernel_width, shape->in_width);
  if (vectors == 1) {
    run->src_step = TILE * shape->stride * shape->src_pixel_stride;
    run->dst_step = TILE * shape->dst_pixel_stride, run->residual_step = TILE * shape->residual_pixel_stride;
    run->weight_step = 0, run->count = tiles;
  } else {
    run->src_step = run->dst_step = run->residual_step = BLOCK * sizeof(float);
    run->weight_step = (ptrdiff_t)sizeof(float) * BLOCK * (taps + 1);
    run->count = vectors;
  }
  function(run, whole, run->lanes < LANES);
}

void VARIANT(cvk_f32_depthwise)(float *dst, ptrdiff_t dst_stride, const float *const *rows, const float *packed,
                                const float *residual, ptrdiff_t residual_stride, int out_rows,
                                const cvk_depthwise *shape) {
  const int channels = shape->channels * shape->multiplier, taps = shape->kernel_width * shape->kernel_height;
  const depthwise_function function = depthwise_function_of(shape);
  const int plain = shape->activation.kind <= CVK_ACTIVATION_CLAMP, clamp = shape->activation.kind == CVK_ACTIVATION_CLAMP;
  depthwise_run run = {.shape = shape,
                       .low = SPLAT(clamp ? shape->activation.a : -__builtin_inff()),
                       .high = SPLAT(clamp ? shape->activation.b : __builtin_inff())};
  const int few_weights = cvk_depthwise_packed_size(channels, taps) <= 4096;
#define ROW_OF(y) \
  (run.rows = rows + (ptrdiff_t)(y) * shape->row_step, out = (float *)((char *)dst + (y) * dst_stride), \
   more = residual ? AT(const float, residual, (y) * residual_stride) : 0)
  float *out;
  const float *more;
  if (function && few_weights) {
    for (int y = 0; y < out_rows; y++) {
      ROW_OF(y);
      for (int x = 0; x < shape->out_width; x += TILE)
        for (int c = 0; c < channels && c < BLOCK; c += LANES) {
          int vectors = (channels - c + BLOCK - LANES) / BLOCK; /* full ones */
          if (vectors > 0) depthwise_place(&run, function, out, more, packed, x, 1, c, vectors);
          int next = c + vectors * BLOCK;
          if (next < channels) depthwise_place(&run, function, out, more, packed, x, 1, next, 1);
        }
    }
  } else {
    for (int c = 0; c < channels; c += LANES)
      for (int y = 0; y < out_rows; y++) {
        ROW_OF(y);
        for (int x = 0, tiles; x < shape->out_width; x += tiles * TILE) {
          for (tiles = 1; function && is_whole(shape, x) && is_whole(shape, x + tiles * TILE);) tiles++;
          depthwise_place(&run, function, out, more, packed, x, tiles, c, 1);
        }
      }
  }
  if (plain) return;
  for (int y = 0; y < out_rows; y++)
    VARIANT(cvk_f32_activate)((float *)((char *)dst + y * dst_stride), shape->dst_pixel_stride, shape->out_width, channels,
                              &shape->activation);
#undef ROW_OF
}
