/* Depthwise convolution over the vectors of network_lanes.h: rows cut into tiles, for depthwise_tiles.h to compute. */
#include "depthwise_tiles.h"

typedef void (*depthwise_function)(const depthwise_run *run, int whole, int part);

static depthwise_function depthwise_function_of(const cvk_depthwise *shape) {
  if (shape->kernel_width != shape->kernel_height || shape->dilation != 1 || shape->multiplier != 1) return 0;
  if (shape->kernel_width == 1 && shape->stride == 1) return depthwise_1_1;
  if (shape->kernel_width == 3) return shape->stride == 1 ? depthwise_3_1 : shape->stride == 2 ? depthwise_3_2 : 0;
  if (shape->kernel_width == 5) return shape->stride == 1 ? depthwise_5_1 : shape->stride == 2 ? depthwise_5_2 : 0;
  if (shape->kernel_width == 7 && shape->stride == 1) return depthwise_7_1;
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

/* Outputs of a tile: 7, where no more tiles of 7 than of 8 are needed (many networks' widths are 7 times a power of
 * 2). */
static int tile_width(const cvk_depthwise *shape) {
  return (shape->out_width + TILE - 2) / (TILE - 1) > (shape->out_width + TILE - 1) / TILE ? TILE : TILE - 1;
}

/* Whether all columns that the outputs [x, x + width) read are there. */
static int is_whole(const cvk_depthwise *shape, int x, int width) {
  int first = x * shape->stride - shape->pad_left, columns = (width - 1) * shape->stride + shape->kernel_width;
  return shape->out_width - x >= width && first >= 0 && first + columns <= shape->in_width;
}

/* Outputs from x on, of channels from `channel` on: `tiles` tiles of a vector of channels, or a tile of `vectors`
 * vectors. */
static void depthwise_place(depthwise_run *run, depthwise_function function, float *dst, const float *residual, int x,
                            int tiles, int channel, int vectors) {
  const cvk_depthwise *shape = run->shape;
  const int channels = shape->channels * shape->multiplier;
  const int first = x * shape->stride - shape->pad_left, left = shape->out_width - x;
  run->outputs = left < run->width ? left : run->width;
  run->at = run->shift + first * shape->src_pixel_stride + channel * (ptrdiff_t)sizeof(float);
  run->dst = (float *)((char *)dst + x * shape->dst_pixel_stride) + channel;
  run->residual = residual ? AT(const float, residual, x * shape->residual_pixel_stride) + channel : 0;
  run->lanes = channels - channel < LANES ? channels - channel : LANES;
  run->channel = channel;
  if (!function) {
    depthwise_any(run, x);
    return;
  }
  const int whole = is_whole(shape, x, run->width);
  if (!whole)
    run->valid = valid_columns(first, (run->outputs - 1) * shape->stride + shape->kernel_width, shape->in_width);
  if (vectors == 1) {
    run->src_step = run->width * shape->stride * shape->src_pixel_stride;
    run->dst_step = run->width * shape->dst_pixel_stride,
        run->residual_step = run->width * shape->residual_pixel_stride;
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

/* Channels that are processed together: what the tiles of a row read of them, and their weights, stays in the first
 * cache, so that the next tile, and maybe the next row, finds there what it shares with the last. */
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

/* All rows, `shift` bytes into those of the input; only clamping is done of the activation. */
static void depthwise_rows(float *dst, ptrdiff_t dst_stride, const float *const *rows, ptrdiff_t shift,
                           const float *packed, const float *residual, ptrdiff_t residual_stride, int out_rows,
                           const cvk_depthwise *shape) {
  const enum cvk_activation_kind kind = shape->activation.kind;
  const depthwise_function one = depthwise_function_of(shape), two = depthwise_pair_function_of(shape);
  depthwise_run run = {.shape = shape,
                       .shift = shift,
                       .packed = packed,
                       .width = one ? tile_width(shape) : TILE,
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
}

/* The outputs x, x + dilation, x + 2 dilation ... read inputs as far apart: they are a convolution without dilation. Is
 * there a function for it? */
static int splits_into_phases(const cvk_depthwise *shape) {
  cvk_depthwise plain = *shape;
  plain.dilation = 1;
  return shape->dilation > 1 && shape->stride == 1 && shape->out_width > 2 * shape->dilation &&
         depthwise_function_of(&plain) != 0;
}

static void depthwise_phase(float *dst, ptrdiff_t dst_stride, const float *const *rows, const float *packed,
                            const float *residual, ptrdiff_t residual_stride, int out_rows, const cvk_depthwise *shape,
                            int phase) {
  const int step = shape->dilation;
  int first = phase - shape->pad_left, beside = first % step < 0 ? first % step + step : first % step;
  cvk_depthwise plain = *shape;
  plain.dilation = 1;
  plain.pad_left = -((first - beside) / step);
  plain.in_width = shape->in_width > beside ? (shape->in_width - beside + step - 1) / step : 0;
  plain.out_width = (shape->out_width - phase + step - 1) / step;
  plain.src_pixel_stride *= step, plain.dst_pixel_stride *= step, plain.residual_pixel_stride *= step;
  depthwise_rows((float *)((char *)dst + phase * shape->dst_pixel_stride), dst_stride, rows,
                 beside * shape->src_pixel_stride, packed,
                 residual ? AT(const float, residual, phase * shape->residual_pixel_stride) : 0, residual_stride,
                 out_rows, &plain);
}

void VARIANT(cvk_f32_depthwise)(float *dst, ptrdiff_t dst_stride, const float *const *rows, const float *packed,
                                const float *residual, ptrdiff_t residual_stride, int out_rows,
                                const cvk_depthwise *shape) {
  if (splits_into_phases(shape)) {
    for (int phase = 0; phase < shape->dilation; phase++)
      depthwise_phase(dst, dst_stride, rows, packed, residual, residual_stride, out_rows, shape, phase);
  } else {
    depthwise_rows(dst, dst_stride, rows, 0, packed, residual, residual_stride, out_rows, shape);
  }
  const enum cvk_activation_kind kind = shape->activation.kind;
  if (kind == CVK_ACTIVATION_NONE || kind == CVK_ACTIVATION_CLAMP) return;
  for (int y = 0; y < out_rows; y++)
    VARIANT(cvk_f32_activate)((float *)((char *)dst + y * dst_stride), shape->dst_pixel_stride, shape->out_width,
                              shape->channels * shape->multiplier, &shape->activation);
}
