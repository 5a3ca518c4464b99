/* Networks in 8-bit integers.
 *
 * Activations are unsigned bytes, one scale and zero point a tensor: real = scale (byte - zero point). Signed ones are
 * made unsigned by turning their top bit over and adding 128 to the zero point. Weights are signed bytes with a scale a
 * channel and no zero point. Sums are exact 32-bit integers; a sum becomes a byte by
 *
 *   byte = max(low, min(high, zero point + round(sum x scale of the channel)))
 *
 * where scale = input's x weights' / output's, the product is of floats and halves are rounded to the even neighbour.
 * ReLU and ReLU6 are in `low` and `high`. Scales are finite, and no sum x scale reaches 2^31. All variants give the
 * same bits, whatever the split of rows and channels. */
#ifndef CVK_QUANTISED_H
#define CVK_QUANTISED_H

#include <stddef.h>
#include <stdint.h>

#include "cvk_tensor.h"

/* How a sum becomes a byte. 0 <= low <= high <= 255, 0 <= zero_point <= 255. */
typedef struct cvk_q8_output {
  int32_t zero_point, low, high;
} cvk_q8_output;

/* A convolution, or one group of it. Weights are packed by cvk_s8_pack_convolution in panels of CVK_Q8_PANEL output
 * channels. Strides are in bytes, both of the source and of the result. */
enum { CVK_Q8_PANEL = 16 };
typedef struct cvk_q8_convolution {
  int in_width, in_height, in_channels;
  ptrdiff_t src_stride, src_pixel; /* from row to row, from pixel to pixel */
  int out_width, out_height, out_channels;
  ptrdiff_t dst_stride, dst_pixel;
  int kernel_width, kernel_height;
  int stride_x, stride_y, dilation_x, dilation_y;
  int pad_left, pad_top; /* what lies right and below follows from the sizes */
  const uint8_t *padding; /* in_channels bytes: the input's zero point; may be null without padding */
  cvk_q8_output output;
} cvk_q8_convolution;

/* One row of a depthwise convolution. Weights are packed by cvk_s8_pack_depthwise in blocks of CVK_Q8_BLOCK
 * channels. */
enum { CVK_Q8_BLOCK = 64 };
typedef struct cvk_q8_depthwise {
  int in_width, channels;
  ptrdiff_t src_pixel;
  int out_width;
  ptrdiff_t dst_pixel;
  int kernel_width, kernel_height;
  int stride_x, dilation_x, pad_left;
  const uint8_t *padding; /* `channels` bytes: the input's zero point */
  cvk_q8_output output;
} cvk_q8_depthwise;

/* One row of a pooling: `kernel_height` is the number of rows that it reads. */
typedef struct cvk_q8_pooling {
  int in_width, channels;
  ptrdiff_t src_pixel;
  int out_width;
  ptrdiff_t dst_pixel;
  int kernel_width, kernel_height;
  int stride_x, dilation_x, pad_left;
} cvk_q8_pooling;

/* Bytes of packed weights. A panel: 16 biases, 16 scales, then for each tap and each four input channels 16 x 4
 * weights. */
static inline size_t cvk_q8_panel_bytes(int in_channels, int taps) {
  return 128 + (size_t)taps * (size_t)((in_channels + 3) / 4) * 64;
}
static inline int cvk_q8_panels(int out_channels) { return (out_channels + CVK_Q8_PANEL - 1) / CVK_Q8_PANEL; }

/* A block of a depthwise convolution: 64 biases, 64 scales, then 64 x 4 weights for each group of four taps: of four
 * rows of a column (fewer in the last group), or, for a last row that would be alone, of four columns of this row. */
static inline int cvk_q8_depthwise_terms(int kernel_width, int kernel_height, int dilation_x) {
  int across = kernel_height % 4 == 1 && kernel_width >= 4 && dilation_x == 1;
  return kernel_height / 4 * kernel_width +
         (across ? (kernel_width + 3) / 4 : kernel_height % 4 ? kernel_width : 0);
}
static inline size_t cvk_q8_block_bytes(int kernel_width, int kernel_height, int dilation_x) {
  return 512 + (size_t)cvk_q8_depthwise_terms(kernel_width, kernel_height, dilation_x) * 256;
}
static inline int cvk_q8_blocks(int channels) { return (channels + CVK_Q8_BLOCK - 1) / CVK_Q8_BLOCK; }

#endif
