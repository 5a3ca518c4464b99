/* Checks of sparse pointwise convolutions: all variants against the plain convolution with the same weights. */
#include "network.h"

static cvk_convolution any_pointwise(cvk_check *check) {
  cvk_convolution c = {.kernel_height = 1, .kernel_width = 1, .stride_x = 1, .stride_y = 1,
                       .dilation_x = 1, .dilation_y = 1};
  c.input_channels = cvk_between(check, 0, 3) ? cvk_between(check, 16, 100) : cvk_between(check, 190, 310);
  /* Not those of which half a panel or less is left over: they are paired. */
  c.output_channels = 16 * cvk_between(check, 1, 5) + (cvk_between(check, 0, 1) ? cvk_between(check, 9, 15) : 0);
  c.output_width = cvk_between(check, 0, 1) ? 1 : cvk_between(check, 2, 40);
  c.output_height = c.output_width == 1 ? cvk_between(check, 16, 300) : (15 / c.output_width + cvk_size(check, 9));
  c.input_height = c.output_height, c.input_width = c.output_width;
  c.activation = cvk_any_activation(check, c.output_channels);
  c.residual = (enum cvk_residual)cvk_between(check, CVK_RESIDUAL_NONE, CVK_RESIDUAL_AFTER);
  enum cvk_activation_kind kind = c.activation.kind;
  if (c.residual == CVK_RESIDUAL_AFTER && kind != CVK_ACTIVATION_NONE && kind != CVK_ACTIVATION_CLAMP)
    c.residual = CVK_RESIDUAL_BEFORE;
  c.residual_channels = cvk_between(check, 0, 1) ? c.output_channels : cvk_between(check, 1, c.output_channels);
  return c;
}

static cvk_buffer any_pixels(cvk_check *check, const cvk_convolution *c, int channels, int result, ptrdiff_t *pixel) {
  int step = channels + (cvk_between(check, 0, 2) ? 0 : cvk_between(check, 1, 20));
  int row = (c->output_width - 1) * step + channels;
  *pixel = (ptrdiff_t)step * 4;
  return result ? cvk_result(check, row * 4, c->output_height, 4)
                : cvk_float_source(check, row, c->output_height, -1, 1);
}

/* Weights of which `share` of a hundred are not zero. */
static cvk_buffer any_weights(cvk_check *check, int count, int share) {
  cvk_buffer weights = cvk_float_source(check, count, 1, -1, 1);
  for (int i = 0; i < count; i++)
    if (cvk_between(check, 0, 99) >= share) floats(weights)[i] = 0;
  return weights;
}

void cvk_check_cvk_f32_pack_sparse(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_convolution c = any_pointwise(check);
    const int count = c.input_channels * c.output_channels, share = cvk_between(check, 0, 30);
    cvk_buffer weights = any_weights(check, count, share), dense = cvk_float_source(check, count, 1, 0.5f, 1);
    cvk_expect(check, cvk_f32_sparse_suits(&c, floats(weights), c.input_channels, 1), "sparse weights are refused");
    cvk_expect(check, !cvk_f32_sparse_suits(&c, floats(dense), c.input_channels, 1), "full weights are taken");
    /* Both orders of the weights give the same bytes. */
    cvk_buffer turned = cvk_float_source(check, count, 1, -1, 1);
    for (int n = 0; n < c.output_channels; n++)
      for (int k = 0; k < c.input_channels; k++)
        floats(turned)[k * c.output_channels + n] = floats(weights)[n * c.input_channels + k];
    cvk_buffer bias = cvk_float_source(check, c.output_channels, 1, -1, 1);
    size_t size = cvk_f32_sparse_packed_count(&c, floats(weights), c.input_channels, 1);
    cvk_expect(check, size == cvk_f32_sparse_packed_count(&c, floats(turned), 1, c.output_channels),
               "the size depends on the order");
    cvk_buffer packed = cvk_result(check, (int)size * 4, 1, 4), again = cvk_result_like(check, packed);
    cvk_f32_pack_sparse__scalar(floats(packed), floats(weights), c.input_channels, 1, floats(bias), &c);
    cvk_f32_pack_sparse__scalar(floats(again), floats(turned), 1, c.output_channels, floats(bias), &c);
    cvk_expect_equal(check, packed, again);
  }
}

void cvk_check_cvk_f32_convolve_sparse(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_convolution c = any_pointwise(check);
    const int channels = c.output_channels, inputs = c.input_channels;
    cvk_buffer weights = any_weights(check, inputs * channels, cvk_between(check, 0, 40));
    cvk_buffer bias = cvk_float_source(check, channels, 1, -1, 1);
    cvk_buffer src = any_pixels(check, &c, inputs, 0, &c.src_pixel);
    cvk_buffer added = any_pixels(check, &c, c.residual_channels, 0, &c.residual_pixel);
    cvk_buffer wanted = any_pixels(check, &c, channels, 1, &c.dst_pixel);
    c.src_row = src.stride, c.dst_row = wanted.stride, c.residual_row = added.stride;
    const float *residual = c.residual ? floats(added) : 0;
    cvk_buffer packed =
        cvk_result(check, (int)cvk_f32_sparse_packed_count(&c, floats(weights), inputs, 1) * 4, 1, 64);
    cvk_f32_pack_sparse__scalar(floats(packed), floats(weights), inputs, 1, floats(bias), &c);
    cvk_buffer plain = cvk_result(check, (int)cvk_f32_convolution_packed_count(&c) * 4, 1, 64);
    cvk_f32_pack_convolution__scalar(floats(plain), floats(weights), inputs, inputs, inputs, 1, floats(bias), &c);
    void *work = cvk_result(check, (int)cvk_f32_sparse_work_bytes(&c), 1, 4).bytes;
    /* What lies between pixels must not change. */
    fill(wanted);
    cvk_f32_convolve__scalar(floats(wanted), floats(src), residual, floats(plain), &c, 0, c.output_height, 0, channels,
                             0);
    const float bound = (float)(6e-8 * (1 + inputs) * (4 + 2 * sqrt(inputs)) + 1e-6);
    int row = cvk_between(check, 0, c.output_height);
    int channel = cvk_between(check, 0, (channels + CVK_PANEL - 1) / CVK_PANEL) * CVK_PANEL;
    channel = channel > channels ? channels : channel;
    CVK_EACH_VARIANT(check, cvk_f32_convolve_sparse, variant) {
      cvk_buffer whole = cvk_result_like(check, wanted), parts = cvk_result_like(check, wanted);
      fill(whole), fill(parts);
      variant(floats(whole), floats(src), residual, floats(packed), &c, 0, c.output_height, 0, channels, work);
      cvk_expect_close(check, wanted, whole, cvk_activation_bound(&c.activation, bound), 4e-7f);
      /* Four separate parts must give the same bits. */
      for (int part = 0; part < 4; part++)
        variant(floats(parts), floats(src), residual, floats(packed), &c, part & 1 ? row : 0,
                part & 1 ? c.output_height : row, part & 2 ? channel : 0, part & 2 ? channels : channel, work);
      cvk_expect_equal(check, whole, parts);
    }
    /* The bits of the plain convolution. */
    cvk_buffer sparse = cvk_result_like(check, wanted), dense = cvk_result_like(check, wanted);
    fill(sparse), fill(dense);
    cvk_f32_convolve_sparse(floats(sparse), floats(src), residual, floats(packed), &c, 0, c.output_height, 0, channels,
                            work);
    cvk_f32_convolve(floats(dense), floats(src), residual, floats(plain), &c, 0, c.output_height, 0, channels, 0);
    cvk_expect_equal(check, dense, sparse);
  }
}
