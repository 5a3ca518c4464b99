/* Checks of the steps of recurrent layers. */
#include "network.h"

void cvk_check_cvk_f32_recurrent_products(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int panels = cvk_between(check, 1, 3), inner = cvk_size(check, 70), batch = cvk_between(check, 1, 3);
    const int rows = panels * CVK_RECURRENT_ROWS;
    cvk_buffer weights = cvk_float_source(check, rows * inner, 1, -1, 1);
    cvk_buffer states = cvk_float_source(check, inner, batch, -1, 1);
    cvk_buffer first = cvk_float_source(check, rows, batch, -2, 2);
    cvk_buffer wanted = cvk_result(check, rows * 4, batch, 4);
    for (int y = 0; y < batch; y++)
      memcpy(wanted.bytes + y * wanted.stride, first.bytes + y * first.stride, (size_t)rows * 4);
    cvk_f32_recurrent_products__scalar(floats(wanted), wanted.stride, floats(weights), panels, floats(states),
                                       states.stride, batch, inner);
    CVK_EACH_VARIANT(check, cvk_f32_recurrent_products, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      for (int y = 0; y < batch; y++)
        memcpy(got.bytes + y * got.stride, first.bytes + y * first.stride, (size_t)rows * 4);
      variant(floats(got), got.stride, floats(weights), panels, floats(states), states.stride, batch, inner);
      cvk_expect_close(check, wanted, got, 6e-8f * (float)(inner + 2) * (float)(inner + 2), 0);
    }
  }
}

void cvk_check_cvk_f32_lstm_cell(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int size = cvk_size(check, 100);
    cvk_buffer gates = cvk_float_source(check, 4 * size, 1, -6, 6), first = cvk_float_source(check, size, 1, -2, 2);
    cvk_buffer wanted = cvk_result(check, size * 4, 1, 4), cells = cvk_result(check, size * 4, 1, 4);
    memcpy(cells.bytes, first.bytes, (size_t)size * 4);
    cvk_f32_lstm_cell__scalar(floats(wanted), floats(cells), floats(gates), size);
    CVK_EACH_VARIANT(check, cvk_f32_lstm_cell, variant) {
      cvk_buffer got = cvk_result_like(check, wanted), cell = cvk_result_like(check, cells);
      memcpy(cell.bytes, first.bytes, (size_t)size * 4);
      variant(floats(got), floats(cell), floats(gates), size);
      cvk_expect_close(check, cells, cell, 1e-6f, 1e-6f);
      cvk_expect_close(check, wanted, got, 1e-6f, 1e-6f);
    }
  }
}

void cvk_check_cvk_f32_gru_cell(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int size = cvk_size(check, 100);
    cvk_buffer inputs = cvk_float_source(check, 3 * size, 1, -4, 4);
    cvk_buffer products = cvk_float_source(check, 3 * size, 1, -4, 4), first = cvk_float_source(check, size, 1, -1, 1);
    cvk_buffer wanted = cvk_result(check, size * 4, 1, 4);
    memcpy(wanted.bytes, first.bytes, (size_t)size * 4);
    cvk_f32_gru_cell__scalar(floats(wanted), floats(inputs), floats(products), size);
    CVK_EACH_VARIANT(check, cvk_f32_gru_cell, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      memcpy(got.bytes, first.bytes, (size_t)size * 4);
      variant(floats(got), floats(inputs), floats(products), size);
      cvk_expect_close(check, wanted, got, 2e-6f, 1e-6f);
    }
  }
}
