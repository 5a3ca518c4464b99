/* Checks of activations and of depthwise convolution. */
#include "network.h"

cvk_activation cvk_any_activation(cvk_check *check, int channels) {
  cvk_activation activation = {(enum cvk_activation_kind)cvk_between(check, 0, CVK_ACTIVATION_KINDS - 1), 0, 0, 0};
  if (cvk_between(check, 0, 3) == 0) activation.kind = CVK_ACTIVATION_CLAMP;
  switch (activation.kind) {
  case CVK_ACTIVATION_CLAMP:
    activation.a = cvk_between(check, 0, 3) ? 0 : -INFINITY;
    activation.b = cvk_between(check, 0, 1) ? 6 : INFINITY;
    break;
  case CVK_ACTIVATION_LEAKY: activation.a = cvk_float_between(check, -0.5f, 1.5f); break;
  case CVK_ACTIVATION_PRELU: activation.slopes = floats(cvk_float_source(check, channels, 1, -1, 1)); break;
  case CVK_ACTIVATION_HARD_SIGMOID:
  case CVK_ACTIVATION_HARD_SWISH:
    activation.a = cvk_between(check, 0, 1) ? 0.2f : 1.0f / 6;
    activation.b = 0.5f;
    break;
  case CVK_ACTIVATION_SILU: activation.a = cvk_between(check, 0, 1) ? 1 : 1.702f; break;
  case CVK_ACTIVATION_ELU: activation.a = cvk_float_between(check, 0.1f, 2); break;
  default: break;
  }
  return activation;
}

/* The slope of all activations is at most 2 (as are PReLU's slopes and a of ELU); the last term is the activation's own
 * error. */
float cvk_activation_bound(const cvk_activation *activation, float absolute) {
  return activation->kind <= CVK_ACTIVATION_PRELU ? 2 * absolute : 2 * absolute + 5e-7f;
}

void cvk_check_cvk_f32_activate(cvk_check *check) {
  while (cvk_next_case(check)) {
    int columns = cvk_size(check, 200), rows = cvk_size(check, 5), case_ = cvk_case(check);
    cvk_activation activation = cvk_any_activation(check, columns);
    const float range = case_ % 3 ? 6 : case_ % 2 ? 1 : 120;
    cvk_buffer src = cvk_float_source(check, columns, rows, -range, range);
    if (case_ % 4 == 0) cvk_add_special_floats(check, src);
    cvk_buffer wanted = cvk_result(check, columns * 4, rows, 4);
    for (int y = 0; y < rows; y++)
      memcpy(wanted.bytes + y * wanted.stride, src.bytes + y * src.stride, (size_t)columns * 4);
    cvk_buffer before = cvk_result_like(check, wanted);
    memcpy(before.whole, wanted.whole, wanted.whole_bytes);
    cvk_f32_activate__scalar(floats(wanted), wanted.stride, rows, columns, &activation);
    CVK_EACH_VARIANT(check, cvk_f32_activate, variant) {
      cvk_buffer got = cvk_result_like(check, before);
      memcpy(got.whole, before.whole, before.whole_bytes);
      variant(floats(got), got.stride, rows, columns, &activation);
      cvk_expect_close(check, wanted, got, cvk_activation_bound(&activation, 0), 4e-7f);
    }
  }
}

void cvk_check_cvk_f32_activated(cvk_check *check) {
  while (cvk_next_case(check)) {
    int columns = cvk_size(check, 200), rows = cvk_size(check, 5);
    cvk_activation activation = cvk_any_activation(check, columns);
    cvk_buffer src = cvk_float_source(check, columns, rows, -9, 9), wanted = cvk_result(check, columns * 4, rows, 4);
    cvk_f32_activated__scalar(floats(wanted), wanted.stride, floats(src), src.stride, rows, columns, &activation);
    CVK_EACH_VARIANT(check, cvk_f32_activated, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), got.stride, floats(src), src.stride, rows, columns, &activation);
      cvk_expect_close(check, wanted, got, cvk_activation_bound(&activation, 0), 4e-7f);
    }
  }
}

void cvk_check_cvk_f32_depthwise_pack(cvk_check *check) {
  while (cvk_next_case(check)) {
    int channels = cvk_size(check, 70), taps = cvk_size(check, 30), tap_first = cvk_between(check, 0, 1);
    cvk_buffer src = cvk_float_source(check, channels * taps, 1, -1, 1),
        bias = cvk_float_source(check, channels, 1, -1, 1);
    const float *biases = cvk_between(check, 0, 2) ? floats(bias) : 0;
    ptrdiff_t channel_stride = tap_first ? taps : 1, tap_stride = tap_first ? 1 : channels;
    cvk_buffer wanted = cvk_result(check, (int)cvk_depthwise_packed_size(channels, taps) * 4, 1, 4);
    cvk_f32_depthwise_pack__scalar(floats(wanted), floats(src), channel_stride, tap_stride, biases, channels, taps);
    for (int c = 0; c < channels; c++)
      for (int t = 0; t < taps; t++)
        if (memcmp(&floats(wanted)[(c / 16 * (taps + 1) + t + 1) * 16 + c % 16],
                   &floats(src)[c * channel_stride + t * tap_stride], 4))
          cvk_expect(check, 0, "a weight has a wrong index");
    CVK_EACH_VARIANT(check, cvk_f32_depthwise_pack, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), floats(src), channel_stride, tap_stride, biases, channels, taps);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

/* A random shape: mostly small square kernels. */
static cvk_depthwise any_shape(cvk_check *check) {
  static const int sizes[] = {3, 5, 7, 1, 2};
  cvk_depthwise shape =
      {.channels = cvk_size(check, 80), .multiplier = cvk_between(check, 0, 7) ? 1 : cvk_size(check, 4)};
  int usual = cvk_between(check, 0, 3) > 0, size = sizes[cvk_between(check, 0, usual ? 2 : 4)];
  shape.kernel_width = shape.kernel_height = size;
  shape.stride = cvk_between(check, 1, usual ? 2 : 3);
  shape.dilation = usual ? 1 : cvk_between(check, 1, 3);
  if (!usual && cvk_between(check, 0, 1)) shape.kernel_height = cvk_between(check, 1, 7);
  int reach = (shape.kernel_width - 1) * shape.dilation + 1;
  shape.in_width = cvk_between(check, 0, 1) ? cvk_between(check, 1, 12) : cvk_size(check, 50);
  shape.pad_left = cvk_between(check, 0, 3) ? (reach - 1) / 2 : cvk_between(check, 0, reach + 2);
  int pad_right = cvk_between(check, 0, 3) ? reach / 2 : cvk_between(check, 0, reach + 2);
  int room = shape.in_width + shape.pad_left + pad_right - reach;
  shape.out_width = room < 0 ? 1 : room / shape.stride + 1;
  shape.row_step = cvk_between(check, 0, 2);
  shape.row_dilation = usual ? 1 : cvk_between(check, 1, 2);
  return shape;
}

static void add_nans_and_infinities(cvk_check *check, cvk_buffer buffer) {
  static const float values[] = {NAN, INFINITY, -INFINITY, -0.0f};
  for (size_t i = 0; i + 4 <= buffer.whole_bytes; i += 4)
    if (cvk_between(check, 0, 40) == 0) memcpy(buffer.whole + i, &values[cvk_between(check, 0, 3)], 4);
}

void cvk_check_cvk_f32_depthwise(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_depthwise shape = any_shape(check);
    const int outputs = shape.channels * shape.multiplier, taps = shape.kernel_width * shape.kernel_height;
    const int out_rows = cvk_between(check, 1, 4), special = cvk_between(check, 0, 9) == 0;
    shape.activation = cvk_any_activation(check, outputs);
    const int in_rows = (out_rows - 1) * shape.row_step + (shape.kernel_height - 1) * shape.row_dilation + 1;

    /* Every pixel is a row of the buffer, so that reading beyond the last is detected; rows are shifted cyclically. */
    const float *rows[64];
    cvk_buffer src = cvk_float_source(check, shape.channels, shape.in_width * in_rows, -1, 1);
    if (special) add_nans_and_infinities(check, src);
    shape.src_pixel_stride = src.stride;
    const int turn = cvk_between(check, 0, in_rows - 1);
    for (int i = 0; i < in_rows; i++)
      rows[i] = cvk_between(check, 0, 5)
                    ? (float *)(void *)(src.bytes + (i + turn) % in_rows * shape.in_width * src.stride)
                    : 0;
    cvk_buffer weights = cvk_float_source(check, outputs * taps, 1, -1, 1),
        bias = cvk_float_source(check, outputs, 1, -3, 3);
    cvk_buffer packed = cvk_source(check, (int)cvk_depthwise_packed_size(outputs, taps) * 4, 1, 4);
    cvk_f32_depthwise_pack__scalar(floats(packed), floats(weights), 1, outputs, floats(bias), outputs, taps);
    cvk_buffer residual = cvk_float_source(check, outputs, out_rows * shape.out_width, -1, 1);
    const float *more = cvk_between(check, 0, 2) ? 0 : floats(residual);
    shape.residual_pixel_stride = residual.stride;
    const ptrdiff_t residual_stride = residual.stride * shape.out_width;

    cvk_buffer wanted = cvk_result(check, outputs * 4, out_rows * shape.out_width, 4);
    shape.dst_pixel_stride = wanted.stride;
    const ptrdiff_t dst_stride = wanted.stride * shape.out_width;
    cvk_f32_depthwise__scalar(floats(wanted), dst_stride, rows, floats(packed), more, residual_stride, out_rows,
                              &shape);
    /* Weights and inputs are at most 1, the bias 3, the residual 1. */
    float magnitude = (float)taps + 4, sum = 2 * magnitude * (float)(taps + 2) * 6e-8f;
    CVK_EACH_VARIANT(check, cvk_f32_depthwise, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), dst_stride, rows, floats(packed), more, residual_stride, out_rows, &shape);
      cvk_expect_close(check, wanted, got, cvk_activation_bound(&shape.activation, sum), 4e-7f);
    }
    if (!more || out_rows < 2) continue;
    /* The residual in place, and row by row, give the same bits. */
    CVK_EACH_VARIANT(check, cvk_f32_depthwise, variant) {
      cvk_depthwise in_place = shape;
      in_place.residual_pixel_stride = shape.dst_pixel_stride;
      cvk_buffer whole = cvk_result_like(check, wanted), parts = cvk_result_like(check, wanted);
      variant(floats(whole), dst_stride, rows, floats(packed), more, residual_stride, out_rows, &shape);
      for (int p = 0; p < out_rows * shape.out_width; p++)
        memcpy(parts.bytes + p * parts.stride, residual.bytes + p * residual.stride, (size_t)outputs * 4);
      for (int y = 0; y < out_rows; y++) {
        float *out = (float *)(void *)(parts.bytes + y * dst_stride);
        variant(out, dst_stride, rows + y * shape.row_step, floats(packed), out, dst_stride, 1, &in_place);
      }
      cvk_expect_equal(check, whole, parts);
    }
  }
}
