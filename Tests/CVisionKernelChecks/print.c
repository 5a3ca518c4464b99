/* Checks of the distances and products of feature prints. */
#include "check.h"

static float *floats_of(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }

void cvk_check_cvk_f32_squared_distances(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_size(check, 1300), rows = cvk_size(check, 9);
    cvk_buffer src = cvk_float_source(check, columns, rows, -1, 1), query = cvk_float_source(check, columns, 1, -1, 1);
    if (cvk_between(check, 0, 3) == 0) /* equal to a row */
      for (int x = 0; x < columns; x++) floats_of(query)[x] = floats_of(src)[x];
    cvk_buffer wanted = cvk_result(check, rows * 4, 1, 4);
    cvk_f32_squared_distances__scalar(floats_of(wanted), floats_of(src), src.stride, rows, columns, floats_of(query));
    CVK_EACH_VARIANT(check, cvk_f32_squared_distances, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), floats_of(src), src.stride, rows, columns, floats_of(query));
      cvk_expect_equal(check, wanted, got);
      for (int y = 0; y < rows; y++) {
        double sum = 0;
        const float *row = (const float *)(const void *)(src.bytes + y * src.stride);
        for (int x = 0; x < columns; x++)
          sum += ((double)row[x] - floats_of(query)[x]) * ((double)row[x] - floats_of(query)[x]);
        const double error = floats_of(got)[y] - sum;
        cvk_expect(check, error <= 6e-6 * sum && -error <= 6e-6 * sum, "far from the sum in double precision");
      }
    }
  }
}

void cvk_check_cvk_s8_s16_dots(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int columns = cvk_case(check) % 16 == 3 ? 2048 : cvk_size(check, 1300), rows = cvk_size(check, 11);
    cvk_buffer src = cvk_source(check, columns, rows, 1), query = cvk_source(check, columns * 2, 1, 2);
    int16_t *numbers = (int16_t *)(void *)query.bytes;
    const int extremes = cvk_between(check, 0, 3) == 0;
    for (int x = 0; x < columns; x++)
      numbers[x] = (int16_t)(extremes ? (cvk_between(check, 0, 1) ? 8191 : -8191) : cvk_between(check, -8191, 8191));
    if (cvk_case(check) % 16 == 3) /* the largest possible sums */
      for (int x = 0; x < columns; x++) {
        numbers[x] = (int16_t)(cvk_case(check) % 32 == 3 ? 8191 : -8191);
        for (int y = 0; y < rows; y++) src.bytes[y * src.stride + x] = 128;
      }
    cvk_buffer wanted = cvk_result(check, rows * 4, 1, 4);
    for (int y = 0; y < rows; y++) {
      int64_t sum = 0;
      for (int x = 0; x < columns; x++) sum += (int64_t)(int8_t)src.bytes[y * src.stride + x] * numbers[x];
      ((int32_t *)(void *)wanted.bytes)[y] = (int32_t)sum;
    }
    CVK_EACH_VARIANT(check, cvk_s8_s16_dots, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant((int32_t *)(void *)got.bytes, (const int8_t *)src.bytes, src.stride, rows, columns, numbers);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u4_table_estimates(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int tables = 4 * (cvk_case(check) % 16 == 3 ? 128 : cvk_size(check, 40)), blocks = cvk_size(check, 5);
    cvk_buffer codes = cvk_source(check, tables * 16 * blocks, 1, 1), entries = cvk_source(check, tables * 16, 1, 1);
    cvk_buffer offsets = cvk_float_source(check, 32 * blocks, 1, -2, 2);
    cvk_buffer factors = cvk_float_source(check, 32 * blocks, 1, -1, 1);
    const float scale = cvk_float_between(check, 0, 0.01f), bias = cvk_float_between(check, -9, 9);
    cvk_buffer wanted = cvk_result(check, 32 * blocks * 4, 1, 4);
    for (int i = 0; i < 32 * blocks; i++) {
      uint32_t sum = 0;
      for (int t = 0; t < tables; t++) {
        const uint8_t byte = codes.bytes[(i / 32 * (tables / 2) + t / 2) * 32 + i % 32];
        sum += entries.bytes[16 * t + (byte >> 4 * (t % 2) & 15)];
      }
      const float product = scale * (float)(sum & 0xffff) + bias;
      floats_of(wanted)[i] = floats_of(offsets)[i] + floats_of(factors)[i] * product;
    }
    CVK_EACH_VARIANT(check, cvk_u4_table_estimates, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), codes.bytes, blocks, tables, entries.bytes, floats_of(offsets), floats_of(factors), scale,
              bias);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
