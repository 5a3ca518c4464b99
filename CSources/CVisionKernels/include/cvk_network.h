/* Parameters of the steps of networks in float other than dense convolution. Images are N, H, W, C (cvk_tensor.h). */
#ifndef CVK_NETWORK_H
#define CVK_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include "cvk_tensor.h"

/* A depthwise convolution. Output channel o reads channel o / multiplier of the input. Column x of the output reads
 * columns x * stride - pad_left + k * dilation, k being 0 to kernel_width - 1; what lies outside of the input is zero,
 * however far outside. Row r of the outputs reads rows[r * row_step + k * row_dilation], k being 0 to kernel_height -
 * 1. Pixel strides are in bytes. */
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

/* Functions of one number. Minimum, maximum and sign give NaN for NaN. */
enum cvk_unary {
  CVK_UNARY_ABSOLUTE = 0,
  CVK_UNARY_NEGATIVE,
  CVK_UNARY_EXP,
  CVK_UNARY_LOG,
  CVK_UNARY_SQUARE_ROOT,
  CVK_UNARY_RECIPROCAL_ROOT, /* 1 / sqrt(x) */
  CVK_UNARY_RECIPROCAL,
  CVK_UNARY_FLOOR,
  CVK_UNARY_CEILING,
  CVK_UNARY_ROUND, /* to the nearest, halves to even */
  CVK_UNARY_ERF,
  CVK_UNARY_SQUARE,
  CVK_UNARY_SIGN, /* -1, 1, or a zero as it is */
  CVK_UNARY_KINDS
};

/* Functions of two numbers. */
enum cvk_binary {
  CVK_BINARY_ADD = 0,
  CVK_BINARY_SUBTRACT,
  CVK_BINARY_MULTIPLY,
  CVK_BINARY_DIVIDE,
  CVK_BINARY_MINIMUM,
  CVK_BINARY_MAXIMUM,
  CVK_BINARY_KINDS
};

/* An operand of an element-wise kernel: element (row, column) is data[row * stride / 4 + column * step], the stride
 * being in bytes and the step 1, or 0 for one value a row. With a stride of 0 all rows are the same. */
typedef struct cvk_operand {
  const float *data;
  ptrdiff_t stride;
  int step;
} cvk_operand;

/* Reductions of many numbers to one. The largest and the smallest of numbers with a NaN among them is NaN. */
enum cvk_reduction {
  CVK_REDUCTION_SUM = 0,
  CVK_REDUCTION_MEAN,
  CVK_REDUCTION_MAXIMUM,
  CVK_REDUCTION_MINIMUM,
  CVK_REDUCTION_SUM_OF_SQUARES,
  CVK_REDUCTION_KINDS
};

/* Pooling; columns and rows are as in cvk_depthwise. The mean is over what lies within the input; with counts_padding
 * also over the zeros of pad_left and pad_right columns beside it (not over what a window has beyond them). */
typedef struct cvk_pool {
  int channels, in_width, out_width;
  int kernel_width, kernel_height;
  int stride, dilation, pad_left, pad_right;
  int row_step, row_dilation;
  ptrdiff_t src_pixel_stride, dst_pixel_stride;
  int mean;            /* else the largest */
  int counts_padding;
} cvk_pool;

/* A row of an enlarged or reduced image: output pixel x is made of the columns[x * taps_x + k] of the input, each
 * with weights[x * taps_x + k]. Pixel strides are in bytes. */
typedef struct cvk_resample {
  int channels, out_width, taps_x, taps_y;
  const int32_t *columns;
  const float *weights;
  ptrdiff_t src_pixel_stride, dst_pixel_stride;
} cvk_resample;

enum { CVK_RECURRENT_ROWS = 64 }; /* rows of a panel of recurrent weights, see cvk_f32_recurrent_products */

#endif
