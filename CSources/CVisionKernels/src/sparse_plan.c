/* Which convolutions are sparse, and the memory that they need; the same for all instruction sets. */
#include "sparse_layout.h"

/* Weights that are not zero; of those that are more than `most` only some are counted. */
static size_t nonzeros(const cvk_convolution *c, const float *weights, ptrdiff_t output_step, ptrdiff_t input_step,
                       size_t most) {
  size_t count = 0;
  for (int n = 0; n < c->output_channels && count <= most; n++)
    for (int k = 0; k < c->input_channels; k++) count += weights[n * output_step + k * input_step] != 0;
  return count;
}

int cvk_f32_sparse_suits(const cvk_convolution *convolution, const float *weights, ptrdiff_t output_step,
                         ptrdiff_t input_step) {
  const cvk_convolution *c = convolution;
  int pointwise = c->kernel_height == 1 && c->kernel_width == 1 && c->stride_y == 1 && c->stride_x == 1 &&
                  c->pad_top == 0 && c->pad_left == 0 && c->output_height <= c->input_height &&
                  c->output_width <= c->input_width;
  /* Pairs are summed in another order. */
  if (!pointwise || is_paired(c)) return 0;
  /* Fewer pixels would leave most of a vector empty; few channels are all transposing. */
  if ((int64_t)c->output_height * c->output_width < 16 || c->input_channels < 16 || c->output_channels < 16) return 0;
  enum cvk_activation_kind kind = c->activation.kind;
  if (c->residual == CVK_RESIDUAL_AFTER && kind != CVK_ACTIVATION_NONE && kind != CVK_ACTIVATION_CLAMP) return 0;
  size_t all = (size_t)c->output_channels * (size_t)c->input_channels, most = all / 5 * 2;
  return all <= INT32_MAX && nonzeros(c, weights, output_step, input_step, most) <= most;
}

size_t cvk_f32_sparse_packed_count(const cvk_convolution *convolution, const float *weights, ptrdiff_t output_step,
                                   ptrdiff_t input_step) {
  return sparse_header(convolution) + 2 * nonzeros(convolution, weights, output_step, input_step, SIZE_MAX - 1);
}

size_t cvk_f32_sparse_work_bytes(const cvk_convolution *convolution) {
  size_t inputs = (size_t)sparse_portion(convolution);
  size_t sums = sparse_portions(convolution) > 1 ? (size_t)convolution->output_channels : 0;
  return (inputs + CVK_PANEL + sums) * CVK_SPARSE_PIXELS * sizeof(float);
}
