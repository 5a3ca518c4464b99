/* Checks of resizing, transposing and half precision. */
#include "network.h"

void cvk_check_cvk_f32_resample(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int in_width = cvk_size(check, 40), nearest = cvk_between(check, 0, 3) == 0, two = cvk_between(check, 0, 1);
    cvk_resample shape = {.channels = cvk_size(check, 50), .out_width = cvk_size(check, 60)};
    shape.taps_x = nearest ? 1 : two ? 2 : cvk_between(check, 1, 5);
    shape.taps_y = nearest ? 1 : two ? 2 : cvk_between(check, 1, 5);
    cvk_buffer src = cvk_float_source(check, shape.channels, in_width * shape.taps_y, -1, 1);
    if (nearest) cvk_add_special_floats(check, src);
    shape.src_pixel_stride = src.stride;
    const float *rows[5];
    for (int j = 0; j < shape.taps_y; j++) {
      int from = cvk_between(check, 0, 4) ? j : 0; /* rows may be the same, as at edges */
      rows[j] = (float *)(void *)(src.bytes + from * in_width * src.stride);
    }
    cvk_buffer columns = cvk_source(check, shape.out_width * shape.taps_x * 4, 1, 4);
    for (int i = 0; i < shape.out_width * shape.taps_x; i++)
      ((int32_t *)(void *)columns.bytes)[i] = cvk_between(check, 0, in_width - 1);
    cvk_buffer weights = cvk_float_source(check, shape.out_width * shape.taps_x, 1, -1, 1);
    cvk_buffer row_weights = cvk_float_source(check, shape.taps_y, 1, -1, 1);
    shape.columns = (const int32_t *)(const void *)columns.bytes;
    shape.weights = nearest ? 0 : floats(weights);
    cvk_buffer wanted = cvk_result(check, shape.channels * 4, shape.out_width, 4);
    shape.dst_pixel_stride = wanted.stride;
    cvk_f32_resample__scalar(floats(wanted), rows, nearest ? 0 : floats(row_weights), &shape);
    const int taps = shape.taps_x * shape.taps_y, steps = shape.taps_x + shape.taps_y;
    CVK_EACH_VARIANT(check, cvk_f32_resample, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), rows, nearest ? 0 : floats(row_weights), &shape);
      cvk_expect_close(check, wanted, got, nearest ? 0 : (float)(taps * steps) * 1.2e-7f, 0);
    }
  }
}

void cvk_check_cvk_f32_transpose(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int few = cvk_between(check, 0, 1), columns = cvk_size(check, few ? 20 : 150), rows = cvk_size(check, 100);
    const int transposed = cvk_between(check, 0, 1), width = transposed ? rows : columns,
              height = transposed ? columns : rows;
    cvk_buffer src = cvk_source(check, height * 4, width, 4);
    /* Sometimes dense: a buffer of one row. */
    if (cvk_between(check, 0, 1)) src = cvk_source(check, height * width * 4, 1, 4), src.stride = height * 4;
    cvk_buffer wanted = cvk_result(check, width * 4, height, 4);
    if (cvk_between(check, 0, 1)) {
      wanted = cvk_result(check, width * height * 4, 1, 4);
      wanted.stride = width * 4, wanted.row_bytes = width * 4, wanted.rows = height;
    }
    cvk_f32_transpose__scalar(floats(wanted), wanted.stride, floats(src), src.stride, height, width);
    CVK_EACH_VARIANT(check, cvk_f32_transpose, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), got.stride, floats(src), src.stride, height, width);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f16_from_f32(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_size(check, 100), rows = cvk_size(check, 9);
    const float range = cvk_between(check, 0, 1) ? 70000 : cvk_between(check, 0, 1) ? 1e-4f : 1e-6f;
    /* Random bytes are floats of all magnitudes. */
    cvk_buffer src = cvk_between(check, 0, 2) ? cvk_float_source(check, columns, rows, -range, range)
                                              : cvk_source(check, columns * 4, rows, 4);
    cvk_add_special_floats(check, src);
    cvk_buffer wanted = cvk_result(check, columns * 2, rows, 2);
    cvk_f16_from_f32__scalar((uint16_t *)(void *)wanted.bytes, wanted.stride, floats(src), src.stride, rows, columns);
    CVK_EACH_VARIANT(check, cvk_f16_from_f32, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant((uint16_t *)(void *)got.bytes, got.stride, floats(src), src.stride, rows, columns);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
