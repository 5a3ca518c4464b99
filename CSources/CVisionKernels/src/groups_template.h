/* 3 x 3 convolutions in groups of few channels, over the vectors of network_lanes.h.
 *
 * A tile is a row of output pixels of one vector of channels. For every kernel row and input channel of a group, each
 * input pixel is spread once, so that every lane has the value of its own group, and then multiplied for all outputs of
 * the tile that read it. */
#include <string.h>

#include "groups_layout.h"

enum { GROUP_TILE = MANY_REGISTERS ? 14 : 7, GROUP_HALF = 7 };

typedef struct group_tile {
  const cvk_convolution *c;
  const char *src; /* the first column of the first kernel row in use, at the first channel that is read */
  int rows;        /* of the kernel, that lie in the image */
  ptrdiff_t row_step;
  const float *bias, *weights; /* the latter of the first kernel row in use */
  float *dst;
  int outputs, lanes;
  uint32_t valid; /* bit i: column i of the tile lies within the image and is needed */
  vf low, high;
} group_tile;

/* `most` outputs are computed. `spread`: groups are narrower than a vector; `part`: of the vector. */
inline_always void compute_group_tile(const group_tile *tile, const int most, const int stride, const int spread,
                                      const int part) {
  const int group = tile->c->input_channels, lanes = tile->lanes;
  const ptrdiff_t pixel = tile->c->src_pixel;
  uint32_t valid = tile->valid;
  const float *weights = tile->weights;
  vf sums[GROUP_TILE], bias = load(tile->bias);
  UNROLL for (int t = 0; t < most; t++) sums[t] = bias;
  uint32_t first[LANES];
  for (int i = 0; i < LANES; i++) first[i] = (uint32_t)(i & -group);
  for (int ky = 0; ky < tile->rows; ky++) {
    const char *row = tile->src + ky * tile->row_step;
    vu lane;
    memcpy(&lane, first, sizeof lane);
    for (int i = 0; i < group; i++, weights += CVK_GROUPS_KERNEL * CVK_PANEL) {
      const vf w0 = load(weights), w1 = load(weights + CVK_PANEL), w2 = load(weights + 2 * CVK_PANEL);
      __asm__("" : "+r"(valid)); /* tests of bits here, rather than before the loop and in memory */
      UNROLL for (int column = 0; column < (most - 1) * stride + CVK_GROUPS_KERNEL; column++) {
        if (!(valid >> column & 1)) continue;
        const float *p = (const float *)(row + column * pixel);
        vf x = !spread ? SPLAT(p[i]) : lanes_at(part ? load_lanes(p, lanes) : load(p), lane);
        UNROLL for (int t = 0; t < most; t++) {
          const int kx = column - t * stride;
          if (kx >= 0 && kx < CVK_GROUPS_KERNEL) sums[t] = FMA(x, kx == 0 ? w0 : kx == 1 ? w1 : w2, sums[t]);
        }
      }
      lane = lane + 1;
    }
  }
  float *out = tile->dst;
  UNROLL for (int t = 0; t < most; t++) {
    if (t >= tile->outputs) break;
    vf sum = at_most(at_least(sums[t], tile->low), tile->high);
    if (part) store_lanes(out, sum, lanes);
    else store(out, sum);
    out = (float *)((char *)out + tile->c->dst_pixel);
  }
}

/* One function a case, so that each has the registers for itself. */
typedef void (*group_tile_function)(const group_tile *tile);
#define GROUP_TILES(name, stride, spread, part) \
  static __attribute__((noinline)) void name(const group_tile *tile) { \
    if (GROUP_HALF < GROUP_TILE && tile->outputs > GROUP_HALF) \
      compute_group_tile(tile, GROUP_TILE, stride, spread, part); \
    else compute_group_tile(tile, GROUP_HALF, stride, spread, part); \
  }
GROUP_TILES(wide_groups_1, 1, 0, 0)
GROUP_TILES(wide_groups_2, 2, 0, 0)
GROUP_TILES(narrow_groups_1, 1, 1, 0)
GROUP_TILES(narrow_groups_2, 2, 1, 0)
GROUP_TILES(narrow_groups_part_1, 1, 1, 1)
GROUP_TILES(narrow_groups_part_2, 2, 1, 1)
#undef GROUP_TILES
/* Groups that are as wide as a vector or wider fill it; of narrow ones the last may be a part. */
static const group_tile_function wide_tiles[2] = {wide_groups_1, wide_groups_2};
static const group_tile_function narrow_tiles[2][2] = {{narrow_groups_1, narrow_groups_2},
                                                       {narrow_groups_part_1, narrow_groups_part_2}};

/* One row of a vector of channels. */
static void convolve_group_row(group_tile *tile, float *dst, const float *src, const float *packed, int y, int channel,
                               int channel1) {
  const cvk_convolution *c = tile->c;
  const int group = c->input_channels, spread = group < LANES;
  const int from = spread ? channel : channel / group * group;
  int64_t top = (int64_t)y * c->stride_y - c->pad_top;
  int ky0 = 0, ky1 = CVK_GROUPS_KERNEL;
  while (ky0 < ky1 && top + (int64_t)ky0 * c->dilation_y < 0) ky0++;
  while (ky0 < ky1 && top + (int64_t)(ky1 - 1) * c->dilation_y >= c->input_height) ky1--;
  tile->rows = ky1 - ky0;
  tile->row_step = c->dilation_y * c->src_row;
  tile->bias = packed + groups_at(c, channel) + channel % CVK_PANEL;
  tile->weights = tile->bias + CVK_PANEL + (size_t)(ky0 * CVK_GROUPS_KERNEL * group) * CVK_PANEL;
  tile->lanes = channel1 - channel < LANES ? channel1 - channel : LANES;
  const group_tile_function function =
      (spread ? narrow_tiles[tile->lanes < LANES] : wide_tiles)[c->stride_x - 1];
  const char *row = (const char *)src + (top + (int64_t)ky0 * c->dilation_y) * c->src_row + from * 4;
  for (int x = 0; x < c->output_width; x += tile->outputs) {
    int left = c->output_width - x;
    tile->outputs = left < GROUP_TILE ? left : GROUP_TILE;
    int64_t first = (int64_t)x * c->stride_x - c->pad_left;
    tile->valid = 0;
    for (int i = 0; i < (tile->outputs - 1) * c->stride_x + CVK_GROUPS_KERNEL; i++)
      if (first + i >= 0 && first + i < c->input_width) tile->valid |= (uint32_t)1 << i;
    tile->src = row + first * c->src_pixel;
    tile->dst = (float *)((char *)dst + y * c->dst_row + x * c->dst_pixel) + channel;
    function(tile);
  }
}

void VARIANT(cvk_f32_convolve_groups)(float *dst, const float *src, const float *packed,
                                      const cvk_convolution *convolution, int row0, int row1, int channel0,
                                      int channel1) {
  enum { CACHE = 128 << 10 };
  const cvk_convolution *c = convolution;
  const enum cvk_activation_kind kind = c->activation.kind;
  group_tile tile = {.c = c,
                     .low = SPLAT(kind == CVK_ACTIVATION_CLAMP ? c->activation.a : -__builtin_inff()),
                     .high = SPLAT(kind == CVK_ACTIVATION_CLAMP ? c->activation.b : __builtin_inff())};
  /* All channels of a few rows, which stay in the second cache, before the next rows. */
  int64_t fitting = CACHE / (c->src_row * c->stride_y + 1);
  const int rows = fitting < 1 ? 1 : fitting < row1 - row0 ? (int)fitting : row1 - row0;
  for (int first = row0; first < row1; first += rows) {
    const int end = row1 - first < rows ? row1 : first + rows;
    for (int channel = channel0; channel < channel1; channel += LANES)
      for (int y = first; y < end; y++) convolve_group_row(&tile, dst, src, packed, y, channel, channel1);
  }
  if (kind == CVK_ACTIVATION_NONE || kind == CVK_ACTIVATION_CLAMP) return;
  cvk_activation activation = c->activation;
  if (activation.slopes) activation.slopes += channel0;
  for (int y = row0; y < row1; y++)
    VARIANT(cvk_f32_activate)((float *)((char *)dst + y * c->dst_row) + channel0, c->dst_pixel, c->output_width,
                              channel1 - channel0, &activation);
}
