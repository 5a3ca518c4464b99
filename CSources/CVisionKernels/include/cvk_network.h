/* Parameters of the steps of networks in float other than dense convolution. Pictures are N, H, W, C (cvk_tensor.h). */
#ifndef CVK_NETWORK_H
#define CVK_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include "cvk_tensor.h"

/* A depthwise convolution. Output channel o reads channel o / multiplier of the input. Column x of the output reads
 * columns x * stride - pad_left + k * dilation, k being 0 to kernel_width - 1; what lies outside of the input is zero,
 * however far outside. Row r of the outputs reads rows[r * row_step + k * row_dilation], k being 0 to kernel_height - 1.
 * Pixel strides are in bytes. */
typedef struct cvk_depthwise {
  int channels, multiplier; /* of the input; the output has channels * multiplier */
  int in_width, out_width;
  int kernel_width, kernel_height;
  int stride, dilation, pad_left;
  int row_step, row_dilation;
  ptrdiff_t src_pixel_stride, dst_pixel_stride, residual_pixel_stride;
  cvk_activation activation;
} cvk_depthwise;

enum { CVK_DEPTHWISE_BLOCK = 16 }; /* channels whose weights lie together */

/* Floats of the weights that cvk_f32_depthwise_pack makes. `channels` are those of the output, `taps` is kernel_width *
 * kernel_height. Blocks are independent: a slice of channels that begins at a multiple of CVK_DEPTHWISE_BLOCK begins at
 * cvk_depthwise_packed_size(first channel, taps). */
static inline size_t cvk_depthwise_packed_size(int channels, int taps) {
  size_t blocks = ((size_t)channels + CVK_DEPTHWISE_BLOCK - 1) / CVK_DEPTHWISE_BLOCK;
  return blocks * CVK_DEPTHWISE_BLOCK * ((size_t)taps + 1);
}

#endif
