/* Convolutions of bytes: the reference of the other variants. */
#include "../quantised.h"

#include <math.h>

static uint8_t byte_of(int32_t sum, float scale, const cvk_q8_output *output) {
  float value = rintf((float)sum * scale);
  int byte = (value > -1000 ? value < 1000 ? (int)value : 1000 : -1000) + output->zero_point;
  return (uint8_t)(byte < output->low ? output->low : byte > output->high ? output->high : byte);
}

/* The sum of output channel `c` at column x and row y. */
static int32_t sum_at(const uint8_t *src, const uint8_t *packed, const cvk_q8_convolution *g, int x, int y, int c) {
  const uint8_t *panel = packed + cvk_q8_panel_bytes(g->in_channels, g->kernel_width * g->kernel_height) *
                                      (size_t)(c / CVK_Q8_PANEL);
  int lane = c % CVK_Q8_PANEL;
  uint32_t sum = (uint32_t)((const int32_t *)(const void *)panel)[lane];
  const int8_t *weights = (const int8_t *)panel + 128 + lane * 4;
  for (int ky = 0; ky < g->kernel_height; ky++) {
    for (int kx = 0; kx < g->kernel_width; kx++, weights += (g->in_channels + 3) / 4 * 64) {
      int iy = y * g->stride_y - g->pad_top + ky * g->dilation_y,
          ix = x * g->stride_x - g->pad_left + kx * g->dilation_x;
      int inside = iy >= 0 && iy < g->in_height && ix >= 0 && ix < g->in_width;
      const uint8_t *pixel = inside ? src + iy * g->src_stride + ix * g->src_pixel : g->padding;
      for (int k = 0; k < g->in_channels; k++) sum += (uint32_t)(pixel[k] * weights[k / 4 * 64 + k % 4]);
    }
  }
  return (int32_t)sum;
}

static float scale_of(const uint8_t *packed, const cvk_q8_convolution *g, int c) {
  size_t panel_bytes = cvk_q8_panel_bytes(g->in_channels, g->kernel_width * g->kernel_height);
  const void *panel = packed + panel_bytes * (size_t)(c / CVK_Q8_PANEL);
  return ((const float *)panel)[CVK_Q8_PANEL + c % CVK_Q8_PANEL];
}

static int end_of(int panel1, const cvk_q8_convolution *g) {
  return panel1 < cvk_q8_panels(g->out_channels) ? panel1 * CVK_Q8_PANEL : g->out_channels;
}

void cvk_u8_convolution__scalar(uint8_t *dst, const uint8_t *src, const uint8_t *packed, const cvk_q8_convolution *g,
                                int row0, int row1, int panel0, int panel1) {
  for (int y = row0; y < row1; y++)
    for (int x = 0; x < g->out_width; x++)
      for (int c = panel0 * CVK_Q8_PANEL; c < end_of(panel1, g); c++)
        dst[y * g->dst_stride + x * g->dst_pixel + c] =
            byte_of(sum_at(src, packed, g, x, y, c), scale_of(packed, g, c), &g->output);
}

void cvk_u8_convolution_f32__scalar(float *dst, const uint8_t *src, const uint8_t *packed, const cvk_q8_convolution *g,
                                    int row0, int row1, int panel0, int panel1) {
  for (int y = row0; y < row1; y++)
    for (int x = 0; x < g->out_width; x++)
      for (int c = panel0 * CVK_Q8_PANEL; c < end_of(panel1, g); c++)
        ((float *)(void *)((char *)dst + y * g->dst_stride + x * g->dst_pixel))[c] =
            (float)sum_at(src, packed, g, x, y, c) * scale_of(packed, g, c);
}

void cvk_u8_depthwise__scalar(uint8_t *dst, const uint8_t *const *rows, const uint8_t *packed,
                              const cvk_q8_depthwise *g, int block0, int block1) {
  size_t block_bytes = cvk_q8_block_bytes(g->kernel_width, g->kernel_height, g->dilation_x);
  int end = block1 < cvk_q8_blocks(g->channels) ? block1 * CVK_Q8_BLOCK : g->channels;
  for (int x = 0; x < g->out_width; x++) {
    for (int c = block0 * CVK_Q8_BLOCK; c < end; c++) {
      const uint8_t *block = packed + block_bytes * (size_t)(c / CVK_Q8_BLOCK);
      int lane = cvk_q8_lane(c % CVK_Q8_BLOCK);
      uint32_t sum = (uint32_t)((const int32_t *)(const void *)block)[lane];
      for (int ky = 0; ky < g->kernel_height; ky++) {
        for (int kx = 0; kx < g->kernel_width; kx++) {
          int ix = x * g->stride_x - g->pad_left + kx * g->dilation_x, slot = cvk_q8_slot(g, kx, ky);
          int byte = ix >= 0 && ix < g->in_width ? rows[ky][ix * g->src_pixel + c] : g->padding[c];
          sum += (uint32_t)(byte * (int8_t)block[512 + slot / 4 * 256 + lane * 4 + slot % 4]);
        }
      }
      float scale = ((const float *)(const void *)block)[CVK_Q8_BLOCK + lane];
      dst[x * g->dst_pixel + c] = byte_of((int32_t)sum, scale, &g->output);
    }
  }
}
