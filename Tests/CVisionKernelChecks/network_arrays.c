/* Checks of element-wise functions. */
#include "network.h"

void cvk_check_cvk_f32_unary(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_size(check, 200), rows = cvk_size(check, 5), kind = cvk_case(check) % CVK_UNARY_KINDS;
    const float range = kind == CVK_UNARY_ERF ? 5 : cvk_between(check, 0, 1) ? 110 : 3;
    cvk_buffer src = cvk_float_source(check, columns, rows, -range, range);
    if (cvk_between(check, 0, 2) == 0) cvk_add_special_floats(check, src);
    cvk_buffer wanted = cvk_result(check, columns * 4, rows, 4);
    cvk_f32_unary__scalar(floats(wanted), wanted.stride, floats(src), src.stride, rows, columns, (enum cvk_unary)kind);
    const int inexact = kind == CVK_UNARY_EXP || kind == CVK_UNARY_LOG || kind == CVK_UNARY_ERF;
    CVK_EACH_VARIANT(check, cvk_f32_unary, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), got.stride, floats(src), src.stride, rows, columns, (enum cvk_unary)kind);
      /* The absolute bound is the least denormal, by which exp may differ. */
      cvk_expect_close(check, wanted, got, inexact ? 3e-45f : 0, inexact ? 2.4e-7f : 0);
    }
  }
}

/* A random operand: one for each element, one for each row, one row for all, or one value. */
static cvk_operand any_operand(cvk_check *check, int rows, int columns, float range) {
  cvk_operand operand = {0, 0, cvk_between(check, 0, 3) != 0};
  const int same = cvk_between(check, 0, 3) == 0, dense = cvk_between(check, 0, 2) == 0;
  const int row = operand.step ? columns : 1;
  cvk_buffer src = dense ? cvk_float_source(check, row * rows, 1, -range, range)
                         : cvk_float_source(check, row, same ? 1 : rows, -range, range);
  if (cvk_between(check, 0, 5) == 0) cvk_add_special_floats(check, src);
  operand.data = floats(src);
  operand.stride = same ? 0 : dense ? 4 * row : src.stride;
  return operand;
}

void cvk_check_cvk_f32_binary(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_case(check) % 20 == 19 ? 5000 : cvk_size(check, 100), rows = cvk_size(check, 6);
    const enum cvk_binary function = (enum cvk_binary)(cvk_case(check) % CVK_BINARY_KINDS);
    cvk_operand a = any_operand(check, rows, columns, 5), b = any_operand(check, rows, columns, 5);
    cvk_activation activation = cvk_any_activation(check, columns);
    const cvk_activation *how = cvk_between(check, 0, 1) ? &activation : 0;
    cvk_buffer wanted = cvk_result(check, columns * 4, rows, 4);
    cvk_f32_binary__scalar(floats(wanted), wanted.stride, &a, &b, rows, columns, function, how);
    CVK_EACH_VARIANT(check, cvk_f32_binary, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), got.stride, &a, &b, rows, columns, function, how);
      if (how) cvk_expect_close(check, wanted, got, cvk_activation_bound(how, 0), 4e-7f);
      else cvk_expect_close(check, wanted, got, 0, 0);
    }
    /* In place over the first operand. */
    CVK_EACH_VARIANT(check, cvk_f32_binary, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
          memcpy(got.bytes + y * got.stride + x * 4, (const char *)a.data + y * a.stride + x * a.step * 4, 4);
      cvk_operand in_place = {floats(got), got.stride, 1};
      variant(floats(got), got.stride, &in_place, &b, rows, columns, function, how);
      cvk_expect_close(check, wanted, got, how ? cvk_activation_bound(how, 0) : 0, how ? 4e-7f : 0);
    }
  }
}

void cvk_check_cvk_f32_affine(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_size(check, 100), rows = cvk_size(check, 6);
    cvk_buffer src = cvk_float_source(check, columns, rows, -4, 4);
    cvk_buffer scale = cvk_float_source(check, columns, 1, -2, 2), bias = cvk_float_source(check, columns, 1, -2, 2);
    const float *biases = cvk_between(check, 0, 2) ? floats(bias) : 0;
    cvk_activation activation = cvk_any_activation(check, columns);
    const cvk_activation *how = cvk_between(check, 0, 1) ? &activation : 0;
    cvk_buffer wanted = cvk_result(check, columns * 4, rows, 4);
    cvk_f32_affine__scalar(floats(wanted), wanted.stride, floats(src), src.stride, rows, columns, floats(scale), biases,
                           how);
    const float bound = 10 * 1.2e-7f;
    CVK_EACH_VARIANT(check, cvk_f32_affine, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), got.stride, floats(src), src.stride, rows, columns, floats(scale), biases, how);
      cvk_expect_close(check, wanted, got, how ? cvk_activation_bound(how, bound) : bound, 4e-7f);
    }
  }
}
