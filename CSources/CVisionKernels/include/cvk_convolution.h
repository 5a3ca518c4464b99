/* Convolutions and matrix products in float.
 *
 * A convolution reads images of pixels with their channels side by side and writes the same. Its weights are packed
 * once into panels of CVK_PANEL output channels, each with its bias; kernels compute rows and panels of the result in
 * any portions, and an element of the result is the same, to the bit, whatever the portions are. */
#ifndef CVK_CONVOLUTION_H
#define CVK_CONVOLUTION_H

#include <stddef.h>

#include "cvk_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Output channels of a panel. */
enum { CVK_PANEL = 16 };

/* Where another tensor of the result's height and width is added. */
enum cvk_residual {
  CVK_RESIDUAL_NONE = 0,
  CVK_RESIDUAL_BEFORE, /* to the sum, which the activation is then applied to */
  CVK_RESIDUAL_AFTER,  /* to what the activation gave */
};

/* Geometry and ending of a convolution. Output (y, x) reads inputs (y stride_y - pad_top + i dilation_y, ...) for the
 * rows i of the kernel, likewise for columns; inputs outside of the image are zero. The padding below and on the
 * right is whatever the sizes of the result imply; padding may be negative. Groups are convolutions of their own, over
 * slices of channels.
 *
 * Steps are in bytes, from a row or a pixel to the next; the step of pixels may be larger than the channels need. A
 * result with gaps is the way to make one phase of a transposed convolution, a source with gaps to read a slice.
 *
 * A matrix product is the convolution with a kernel of 1 x 1, the rows of the left matrix its pixels. */
typedef struct cvk_convolution {
  int32_t input_height, input_width, input_channels;
  int32_t output_height, output_width, output_channels;
  int32_t kernel_height, kernel_width;
  int32_t stride_y, stride_x;
  int32_t dilation_y, dilation_x;
  int32_t pad_top, pad_left;
  ptrdiff_t src_row, src_pixel;
  ptrdiff_t dst_row, dst_pixel;
  ptrdiff_t residual_row, residual_pixel;
  enum cvk_residual residual;
  int32_t residual_channels; /* what is added has, at most as many as the result: the others get nothing */
  cvk_activation activation;
} cvk_convolution;

/* Floats that the packed weights take: only the channels and the kernel's size matter. */
size_t cvk_f32_convolution_packed_count(const cvk_convolution *convolution);

/* Bytes of scratch memory that a call of cvk_f32_convolve needs, aligned to 64 for speed; one for every thread. It does
 * not grow with the image. */
size_t cvk_f32_convolution_work_bytes(const cvk_convolution *convolution);

/* Winograd's algorithm for 3 x 3 convolutions without strides and dilations: squares of 4 x 4 results from 36 products
 * a pair of channels instead of 144. Its weights are packed in a layout of their own, and four times as large. */

/* True where the kernel is of that kind and Winograd's algorithm is expected to be faster. */
int cvk_f32_winograd_suits(const cvk_convolution *convolution);

/* The same two sizes for cvk_f32_winograd; kernel sizes are taken for 3 x 3. */
size_t cvk_f32_winograd_packed_count(const cvk_convolution *convolution);
size_t cvk_f32_winograd_work_bytes(const cvk_convolution *convolution);

/* 3 x 3 convolutions in groups of few channels, as many for inputs as for results, all groups at once: a vector holds
 * results of several groups, or of a part of one. input_channels are those of a group, output_channels those of all,
 * and a pixel of the source has as many. */

/* True where cvk_f32_convolve_groups does it well: 4, 8, or up to four times 16 channels a group, a stride of 1 column
 * (or 2, where channels are less than 16), no dilation along rows, nothing added. */
int cvk_f32_groups_suit(const cvk_convolution *convolution);

/* Floats of its packed weights. */
size_t cvk_f32_groups_packed_count(const cvk_convolution *convolution);

/* Pointwise convolutions with weights of which most are zero, as pruning leaves them: only the others are multiplied.
 * Each result has the bits of cvk_f32_convolve, where inputs are finite. Weights lie as in cvk_f32_pack_convolution. */

/* True where cvk_f32_convolve_sparse does it, and faster. */
int cvk_f32_sparse_suits(const cvk_convolution *convolution, const float *weights, ptrdiff_t output_step,
                         ptrdiff_t input_step);

/* Floats of its packed weights, and bytes of scratch memory, as cvk_f32_convolution_work_bytes. */
size_t cvk_f32_sparse_packed_count(const cvk_convolution *convolution, const float *weights, ptrdiff_t output_step,
                                   ptrdiff_t input_step);
size_t cvk_f32_sparse_work_bytes(const cvk_convolution *convolution);

/* Bytes of scratch memory that a call of cvk_f32_multiply needs. */
size_t cvk_f32_multiply_work_bytes(int rows, int columns, int inner);

#ifdef __cplusplus
}
#endif

#endif
