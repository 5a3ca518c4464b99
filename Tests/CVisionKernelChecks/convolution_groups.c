/* Checks of convolutions in groups: scalar against the plain convolution of every group, the others against scalar. */
#include <math.h>
#include <string.h>

#include "network.h"

static cvk_convolution any_groups(cvk_check *check) {
  static const int sizes[] = {4, 8, 16, 32, 48, 64};
  cvk_convolution c = {.kernel_height = 3, .kernel_width = 3, .dilation_x = 1};
  c.input_channels = sizes[cvk_between(check, 0, 5)];
  c.output_channels = c.input_channels * cvk_between(check, 1, c.input_channels > 8 ? 3 : 9);
  c.stride_x = cvk_between(check, 1, c.input_channels > 8 ? 1 : 2);
  c.stride_y = cvk_between(check, 0, 5) ? c.stride_x : cvk_between(check, 1, 3);
  c.dilation_y = cvk_between(check, 0, 5) ? 1 : 2;
  c.pad_top = cvk_between(check, 0, 3) ? 1 : cvk_between(check, -1, 4);
  c.pad_left = cvk_between(check, 0, 3) ? 1 : cvk_between(check, -1, 4);
  c.output_height = cvk_size(check, 6), c.output_width = cvk_size(check, 40);
  c.input_height = (c.output_height - 1) * c.stride_y + 1 + cvk_between(check, 0, 2 * c.dilation_y);
  c.input_width = (c.output_width - 1) * c.stride_x + cvk_between(check, 1, 3);
  c.activation = cvk_any_activation(check, c.output_channels);
  return c;
}

static cvk_buffer any_image(cvk_check *check, int width, int height, int channels, int result, ptrdiff_t *pixel) {
  int step = channels + (cvk_between(check, 0, 2) ? 0 : cvk_between(check, 1, 20)), row = (width - 1) * step + channels;
  *pixel = (ptrdiff_t)step * 4;
  return result ? cvk_result(check, row * 4, height, 4) : cvk_float_source(check, row, height, -1, 1);
}

void cvk_check_cvk_f32_pack_groups(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_convolution c = any_groups(check);
    cvk_expect(check, cvk_f32_groups_suit(&c), "a convolution that suits is refused");
    int count = c.output_channels * c.input_channels * 9, step = c.input_channels * 9;
    cvk_buffer weights = cvk_float_source(check, count, 1, -1, 1);
    cvk_buffer bias = cvk_float_source(check, c.output_channels, 1, -1, 1);
    const float *given = cvk_between(check, 0, 3) ? floats(bias) : 0;
    cvk_buffer packed = cvk_result(check, (int)cvk_f32_groups_packed_count(&c) * 4, 1, 4);
    cvk_f32_pack_groups__scalar(floats(packed), floats(weights), step, 3 * c.input_channels, c.input_channels, 1, given,
                                &c);
    CVK_EACH_VARIANT(check, cvk_f32_pack_groups, variant) {
      cvk_buffer got = cvk_result_like(check, packed);
      variant(floats(got), floats(weights), step, 3 * c.input_channels, c.input_channels, 1, given, &c);
      cvk_expect_equal(check, packed, got);
    }
  }
}

/* One group as a convolution of its own. */
static void convolve_group(cvk_check *check, cvk_buffer dst, cvk_buffer src, cvk_buffer weights, cvk_buffer bias,
                           cvk_convolution c, int group) {
  const int channels = c.input_channels, step = channels * 9, first = group * channels;
  c.output_channels = channels;
  c.activation.kind = CVK_ACTIVATION_NONE;
  cvk_buffer packed = cvk_result(check, (int)cvk_f32_convolution_packed_count(&c) * 4, 1, 64);
  cvk_f32_pack_convolution__scalar(floats(packed), floats(weights) + first * step, step, 3 * channels, channels, 1,
                                   floats(bias) + first, &c);
  void *work = cvk_result(check, (int)cvk_f32_convolution_work_bytes(&c), 1, 4).bytes;
  cvk_f32_convolve__scalar(floats(dst) + first, floats(src) + first, 0, floats(packed), &c, 0, c.output_height, 0,
                           channels, work);
}

void cvk_check_cvk_f32_convolve_groups(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_convolution c = any_groups(check);
    const int channels = c.output_channels, step = c.input_channels * 9;
    cvk_buffer weights = cvk_float_source(check, channels * step, 1, -1, 1);
    cvk_buffer bias = cvk_float_source(check, channels, 1, -1, 1);
    cvk_buffer src = any_image(check, c.input_width, c.input_height, channels, 0, &c.src_pixel);
    cvk_buffer wanted = any_image(check, c.output_width, c.output_height, channels, 1, &c.dst_pixel);
    c.src_row = src.stride, c.dst_row = wanted.stride;
    cvk_buffer packed = cvk_result(check, (int)cvk_f32_groups_packed_count(&c) * 4, 1, 64);
    cvk_f32_pack_groups__scalar(floats(packed), floats(weights), step, 3 * c.input_channels, c.input_channels, 1,
                                floats(bias), &c);
    /* What lies between pixels must not change. */
    fill(wanted);
    const float bound = (float)(6e-8 * (1 + step) * (4 + 2 * sqrt(step)) + 1e-6);
    cvk_convolution bare = c;
    bare.activation.kind = CVK_ACTIVATION_NONE;
    cvk_buffer sums = cvk_result_like(check, wanted), plain = cvk_result_like(check, wanted);
    fill(sums), fill(plain);
    cvk_f32_convolve_groups__scalar(floats(sums), floats(src), floats(packed), &bare, 0, c.output_height, 0, channels);
    for (int group = 0; group < channels / c.input_channels; group++)
      convolve_group(check, plain, src, weights, bias, c, group);
    cvk_expect_close(check, plain, sums, bound, 0);

    cvk_f32_convolve_groups__scalar(floats(wanted), floats(src), floats(packed), &c, 0, c.output_height, 0, channels);
    int row = cvk_between(check, 0, c.output_height);
    int channel = cvk_between(check, 0, (channels + CVK_PANEL - 1) / CVK_PANEL) * CVK_PANEL;
    channel = channel > channels ? channels : channel;
    CVK_EACH_VARIANT(check, cvk_f32_convolve_groups, variant) {
      cvk_buffer whole = cvk_result_like(check, wanted), parts = cvk_result_like(check, wanted);
      fill(whole), fill(parts);
      variant(floats(whole), floats(src), floats(packed), &c, 0, c.output_height, 0, channels);
      cvk_expect_close(check, wanted, whole, cvk_activation_bound(&c.activation, bound), 4e-7f);
      /* Four separate parts must give the same bits. */
      for (int part = 0; part < 4; part++)
        variant(floats(parts), floats(src), floats(packed), &c, part & 1 ? row : 0, part & 1 ? c.output_height : row,
                part & 2 ? channel : 0, part & 2 ? channels : channel);
      cvk_expect_equal(check, whole, parts);
    }
  }
}
