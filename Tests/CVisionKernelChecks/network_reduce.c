/* Checks of pooling, reductions, softmax and normalisation. */
#include "network.h"

static cvk_pool any_pool(cvk_check *check) {
  cvk_pool shape = {.channels = cvk_size(check, 50), .mean = cvk_between(check, 0, 1)};
  shape.kernel_width = cvk_case(check) % 16 == 7 ? 100 : cvk_between(check, 1, 7);
  shape.kernel_height = cvk_between(check, 1, 5);
  shape.stride = cvk_between(check, 1, 3), shape.dilation = cvk_between(check, 0, 3) ? 1 : cvk_between(check, 1, 3);
  const int reach = (shape.kernel_width - 1) * shape.dilation + 1;
  shape.in_width = cvk_between(check, 0, 1) ? cvk_between(check, 1, 12) : cvk_size(check, 130);
  shape.pad_left = cvk_between(check, 0, reach - 1), shape.pad_right = cvk_between(check, 0, reach - 1);
  const int room = shape.in_width + shape.pad_left + shape.pad_right - reach;
  /* Sometimes one more than fits: windows that reach beyond the padding. */
  shape.out_width = (room < 0 ? 1 : room / shape.stride + 1) + (cvk_between(check, 0, 3) == 0);
  shape.row_step = cvk_between(check, 0, 2), shape.row_dilation = cvk_between(check, 1, 2);
  shape.counts_padding = cvk_between(check, 0, 1);
  return shape;
}

void cvk_check_cvk_f32_pool(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_pool shape = any_pool(check);
    const int out_rows = cvk_between(check, 1, 3);
    const int in_rows = (out_rows - 1) * shape.row_step + (shape.kernel_height - 1) * shape.row_dilation + 1;
    const float *rows[64];
    cvk_buffer src = cvk_float_source(check, shape.channels, shape.in_width * in_rows, -1, 1);
    if (!shape.mean && cvk_between(check, 0, 4) == 0) cvk_add_special_floats(check, src);
    shape.src_pixel_stride = src.stride;
    for (int i = 0; i < in_rows; i++)
      rows[i] = cvk_between(check, 0, 5) ? (float *)(void *)(src.bytes + i * shape.in_width * src.stride) : 0;
    int32_t counts[3];
    for (int i = 0; i < 3; i++) counts[i] = cvk_between(check, 0, shape.kernel_height);
    const int32_t *counted = cvk_between(check, 0, 1) ? counts : 0;
    cvk_buffer wanted = cvk_result(check, shape.channels * 4, out_rows * shape.out_width, 4);
    shape.dst_pixel_stride = wanted.stride;
    const ptrdiff_t dst_stride = wanted.stride * shape.out_width;
    cvk_f32_pool__scalar(floats(wanted), dst_stride, rows, counted, out_rows, &shape);
    const int taps = shape.kernel_width * shape.kernel_height;
    CVK_EACH_VARIANT(check, cvk_f32_pool, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), dst_stride, rows, counted, out_rows, &shape);
      cvk_expect_close(check, wanted, got, shape.mean ? (float)(taps * taps) * 6e-8f : 0, 0);
    }
  }
}

void cvk_check_cvk_f32_reduce_columns(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_size(check, 2000), rows = cvk_size(check, 4);
    const enum cvk_reduction kind = (enum cvk_reduction)(cvk_case(check) % CVK_REDUCTION_KINDS);
    const int order = kind == CVK_REDUCTION_MAXIMUM || kind == CVK_REDUCTION_MINIMUM;
    cvk_buffer src = cvk_float_source(check, columns, rows, -1, 1);
    if (order && cvk_between(check, 0, 3) == 0) cvk_add_special_floats(check, src);
    cvk_buffer wanted = cvk_result(check, rows * 4, 1, 4);
    cvk_f32_reduce_columns__scalar(floats(wanted), floats(src), src.stride, rows, columns, kind);
    const float bound = order ? 0 : kind == CVK_REDUCTION_MEAN ? 1.8e-7f * (float)columns
                                                                       : 1.8e-7f * (float)columns * (float)columns;
    CVK_EACH_VARIANT(check, cvk_f32_reduce_columns, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), floats(src), src.stride, rows, columns, kind);
      cvk_expect_close(check, wanted, got, bound < 1e-3f || order ? bound : 1e-3f, 0);
    }
  }
}

void cvk_check_cvk_f32_reduce_rows(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_size(check, 200), rows = cvk_size(check, 300);
    const enum cvk_reduction kind = (enum cvk_reduction)(cvk_case(check) % CVK_REDUCTION_KINDS);
    const int order = kind == CVK_REDUCTION_MAXIMUM || kind == CVK_REDUCTION_MINIMUM;
    cvk_buffer src = cvk_float_source(check, columns, rows, -1, 1);
    if (order && cvk_between(check, 0, 3) == 0) cvk_add_special_floats(check, src);
    cvk_buffer wanted = cvk_result(check, columns * 4, 1, 4);
    cvk_f32_reduce_rows__scalar(floats(wanted), floats(src), src.stride, rows, columns, kind);
    const float bound = order ? 0 : kind == CVK_REDUCTION_MEAN ? 2e-6f : 1e-4f;
    CVK_EACH_VARIANT(check, cvk_f32_reduce_rows, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), floats(src), src.stride, rows, columns, kind);
      cvk_expect_close(check, wanted, got, bound, 0);
      /* Columns split between two calls give the same bits. */
      cvk_buffer parts = cvk_result_like(check, wanted);
      const int left = columns / 3;
      variant(floats(parts), floats(src), src.stride, rows, left, kind);
      variant(floats(parts) + left, floats(src) + left, src.stride, rows, columns - left, kind);
      cvk_expect_close(check, got, parts, 0, 0);
    }
  }
}

void cvk_check_cvk_f32_softmax(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int few = cvk_between(check, 0, 1), logarithm = cvk_case(check) % 2;
    const int columns = few ? cvk_between(check, 1, 40) : cvk_size(check, 1000), rows = cvk_size(check, few ? 150 : 5);
    const float range = cvk_between(check, 0, 1) ? 3 : 100;
    cvk_buffer src = cvk_float_source(check, columns, rows, -range, range);
    if (cvk_between(check, 0, 4) == 0) cvk_add_special_floats(check, src);
    cvk_buffer wanted = cvk_result(check, columns * 4, rows, 4);
    cvk_f32_softmax__scalar(floats(wanted), wanted.stride, floats(src), src.stride, rows, columns, logarithm);
    const float bound = 6e-8f * (float)(columns + 8);
    CVK_EACH_VARIANT(check, cvk_f32_softmax, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), got.stride, floats(src), src.stride, rows, columns, logarithm);
      cvk_expect_close(check, wanted, got, logarithm ? bound : 1.2e-38f, logarithm ? 2.4e-7f : bound + 2e-7f);
    }
  }
}

void cvk_check_cvk_f32_normalise_rows(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_size(check, 1000), rows = cvk_size(check, 5);
    cvk_buffer src = cvk_float_source(check, columns, rows, -2, 3);
    cvk_buffer scale = cvk_float_source(check, columns, 1, -2, 2), bias = cvk_float_source(check, columns, 1, -2, 2);
    const float *scales = cvk_between(check, 0, 2) ? floats(scale) : 0,
        *biases = cvk_between(check, 0, 2) ? floats(bias) : 0;
    const float epsilon = cvk_between(check, 0, 1) ? 1e-5f : 1e-3f;
    cvk_buffer wanted = cvk_result(check, columns * 4, rows, 4);
    cvk_buffer mean = cvk_result(check, rows * 4, 1, 4), inverse = cvk_result(check, rows * 4, 1, 4);
    cvk_f32_normalise_rows__scalar(floats(wanted), wanted.stride, floats(src), src.stride, rows, columns,
                                   epsilon, scales, biases, floats(mean), floats(inverse));
    CVK_EACH_VARIANT(check, cvk_f32_normalise_rows, variant) {
      cvk_buffer got = cvk_result_like(check, wanted), plain = cvk_result_like(check, wanted);
      cvk_buffer got_mean = cvk_result_like(check, mean), got_inverse = cvk_result_like(check, inverse);
      variant(floats(got), got.stride, floats(src), src.stride, rows, columns, epsilon, scales, biases,
              floats(got_mean), floats(got_inverse));
      variant(floats(plain), plain.stride, floats(src), src.stride, rows, columns, epsilon, scales, biases, 0,
              0);
      /* Equal numbers differ from their mean by a few ulps, which 1 / sqrt(epsilon) amplifies. */
      cvk_expect_close(check, wanted, got, 6e-4f, 2e-5f);
      cvk_expect_close(check, mean, got_mean, 3e-6f, 0);
      cvk_expect_close(check, inverse, got_inverse, 0, 2e-5f);
      cvk_expect_equal(check, got, plain);
    }
  }
}
