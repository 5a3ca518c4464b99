/* The packing of 8-bit weights. */
#include "../quantised.h"

#include <string.h>

/* Sums wrap instead of being undefined; callers keep to sizes whose sums fit. */
static int32_t corrected(const int32_t *bias, int c, int32_t weights, int zero_point) {
  return (int32_t)((bias ? (uint32_t)bias[c] : 0) - (uint32_t)zero_point * (uint32_t)weights);
}

void cvk_s8_pack_convolution__scalar(uint8_t *dst, const int8_t *weights, ptrdiff_t out_step, ptrdiff_t in_step,
                                     ptrdiff_t tap_step, const int32_t *bias, const float *scales, int out_channels,
                                     int in_channels, int taps, int zero_point) {
  size_t panel_bytes = cvk_q8_panel_bytes(in_channels, taps);
  int fours = (in_channels + 3) / 4;
  memset(dst, 0, panel_bytes * (size_t)cvk_q8_panels(out_channels));
  for (int c = 0; c < out_channels; c++) {
    uint8_t *panel = dst + panel_bytes * (size_t)(c / CVK_Q8_PANEL);
    int lane = c % CVK_Q8_PANEL;
    int32_t sum = 0;
    for (int tap = 0; tap < taps; tap++) {
      for (int k = 0; k < in_channels; k++) {
        int8_t weight = weights[c * out_step + k * in_step + tap * tap_step];
        panel[128 + ((size_t)tap * (size_t)fours + (size_t)k / 4) * 64 + (size_t)lane * 4 + (size_t)k % 4] =
            (uint8_t)weight;
        sum += weight;
      }
    }
    ((int32_t *)(void *)panel)[lane] = corrected(bias, c, sum, zero_point);
    ((float *)(void *)panel)[CVK_Q8_PANEL + lane] = scales[c];
  }
}

void cvk_s8_pack_depthwise__scalar(uint8_t *dst, const int8_t *weights, ptrdiff_t channel_step, ptrdiff_t tap_step,
                                   const int32_t *bias, const float *scales, const cvk_q8_depthwise *g,
                                   int zero_point) {
  size_t block_bytes = cvk_q8_block_bytes(g->kernel_width, g->kernel_height, g->dilation_x);
  memset(dst, 0, block_bytes * (size_t)cvk_q8_blocks(g->channels));
  for (int c = 0; c < g->channels; c++) {
    uint8_t *block = dst + block_bytes * (size_t)(c / CVK_Q8_BLOCK);
    int lane = cvk_q8_lane(c % CVK_Q8_BLOCK);
    /* A block that is at most half full holds its numbers twice, for kernels that put two pixels into one register. */
    int halves = g->channels - c / CVK_Q8_BLOCK * CVK_Q8_BLOCK <= CVK_Q8_BLOCK / 2;
    int32_t sum = 0;
    for (int y = 0; y < g->kernel_height; y++) {
      for (int x = 0; x < g->kernel_width; x++) {
        int slot = cvk_q8_slot(g, x, y);
        int8_t weight = weights[c * channel_step + (y * g->kernel_width + x) * tap_step];
        for (int half = 0; half <= halves; half++)
          block[512 + slot / 4 * 256 + (lane + half * 8) * 4 + slot % 4] = (uint8_t)weight;
        sum += weight;
      }
    }
    for (int half = 0; half <= halves; half++) {
      ((int32_t *)(void *)block)[lane + half * 8] = corrected(bias, c, sum, zero_point);
      ((float *)(void *)block)[CVK_Q8_BLOCK + lane + half * 8] = scales[c];
    }
  }
}
