/* Checks of image filters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static float *floats_of(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }
static int32_t *wholes_of(cvk_buffer buffer) { return (int32_t *)(void *)buffer.bytes; }

enum { MOST_ROWS = 96 };

#define COLUMNS(name, type, make) \
  void cvk_check_##name(cvk_check *check) { \
    while (cvk_next_case(check)) { \
      const int width = cvk_size(check, 200), height = cvk_size(check, 20), taps = cvk_size(check, 60); \
      cvk_buffer src = make, weights = cvk_float_source(check, taps, 1, -1, 1); \
      const type *rows[MOST_ROWS]; \
      for (int k = 0; k < height + taps - 1; k++) \
        rows[k] = (const type *)(const void *)(src.bytes + cvk_between(check, 0, src.rows - 1) * src.stride); \
      cvk_buffer wanted = cvk_result(check, 4 * width, height, 4); \
      name##__scalar(floats_of(wanted), wanted.stride, rows, width, height, floats_of(weights), taps); \
      CVK_EACH_VARIANT(check, name, variant) { \
        cvk_buffer got = cvk_result_like(check, wanted); \
        variant(floats_of(got), got.stride, rows, width, height, floats_of(weights), taps); \
        cvk_expect_close(check, wanted, got, 255 * (float)taps * 0x1p-20f, 0); \
        const int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1); \
        double sum = 0; \
        for (int k = 0; k < taps; k++) sum += (double)floats_of(weights)[k] * (double)rows[y + k][x]; \
        const float value = ((const float *)(const void *)(got.bytes + y * got.stride))[x]; \
        cvk_expect(check, fabs((double)value - sum) <= 255 * taps * 0x1p-20, "not the sum of the column"); \
      } \
    } \
  }
COLUMNS(cvk_u8_filter_columns, uint8_t, cvk_source(check, width, 9, 1))
COLUMNS(cvk_f32_filter_columns, float, cvk_float_source(check, width, 9, -255, 255))

void cvk_check_cvk_f32_filter_row_c4(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 90), taps = cvk_size(check, 60);
    cvk_buffer src = cvk_float_source(check, 4 * (width + taps - 1), 1, -255, 255);
    cvk_buffer weights = cvk_float_source(check, taps, 1, -1, 1), wanted = cvk_result(check, 16 * width, 1, 4);
    cvk_f32_filter_row_c4__scalar(floats_of(wanted), floats_of(src), width, floats_of(weights), taps);
    CVK_EACH_VARIANT(check, cvk_f32_filter_row_c4, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), floats_of(src), width, floats_of(weights), taps);
      cvk_expect_close(check, wanted, got, 255 * (float)taps * 0x1p-20f, 0);
      const int x = cvk_between(check, 0, 4 * width - 1);
      double sum = 0;
      for (int k = 0; k < taps; k++) sum += (double)floats_of(weights)[k] * (double)floats_of(src)[x + 4 * k];
      cvk_expect(check, fabs((double)floats_of(got)[x] - sum) <= 255 * taps * 0x1p-20, "not the sum of the row");
    }
  }
}

void cvk_check_cvk_f32_resize_row_c4(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 90), taps = cvk_size(check, 40), pixels = taps + cvk_between(check, 0, 50);
    cvk_buffer src = cvk_float_source(check, 4 * pixels, 1, -255, 255);
    cvk_buffer weights = cvk_float_source(check, width * taps, 1, -1, 1), firsts = cvk_source(check, 4 * width, 1, 4);
    for (int x = 0; x < width; x++) wholes_of(firsts)[x] = cvk_between(check, 0, pixels - taps);
    cvk_buffer wanted = cvk_result(check, 16 * width, 1, 4);
    cvk_f32_resize_row_c4__scalar(floats_of(wanted), floats_of(src), width, wholes_of(firsts), floats_of(weights),
                                  taps);
    CVK_EACH_VARIANT(check, cvk_f32_resize_row_c4, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), floats_of(src), width, wholes_of(firsts), floats_of(weights), taps);
      cvk_expect_close(check, wanted, got, 255 * (float)taps * 0x1p-20f, 0);
      const int x = cvk_between(check, 0, width - 1), c = cvk_between(check, 0, 3);
      double sum = 0;
      for (int k = 0; k < taps; k++)
        sum += (double)floats_of(weights)[x * taps + k] * (double)floats_of(src)[4 * (wholes_of(firsts)[x] + k) + c];
      cvk_expect(check, fabs((double)floats_of(got)[4 * x + c] - sum) <= 255 * taps * 0x1p-20, "not the sum");
    }
  }
}

void cvk_check_cvk_i32_box_columns(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 300);
    cvk_buffer added = cvk_source(check, width, 1, 1), removed = cvk_source(check, width, 1, 1);
    cvk_buffer start = cvk_result(check, 4 * width, 1, 4), wanted = cvk_result_like(check, start);
    for (int x = 0; x < width; x++) wholes_of(start)[x] = cvk_between(check, 255, 1 << 28);
    memcpy(wanted.bytes, start.bytes, 4 * (size_t)width);
    cvk_i32_box_columns__scalar(wholes_of(wanted), added.bytes, removed.bytes, width);
    CVK_EACH_VARIANT(check, cvk_i32_box_columns, variant) {
      cvk_buffer got = cvk_result_like(check, start);
      memcpy(got.bytes, start.bytes, 4 * (size_t)width);
      variant(wholes_of(got), added.bytes, removed.bytes, width);
      cvk_expect_equal(check, wanted, got);
      for (int x = 0; x < width; x++)
        cvk_expect(check, wholes_of(got)[x] == wholes_of(start)[x] + added.bytes[x] - removed.bytes[x], "a wrong sum");
    }
  }
}

void cvk_check_cvk_i32_box_row_c4(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 90), taps = cvk_size(check, 60), pixels = width + taps - 1;
    cvk_buffer src = cvk_source(check, 16 * pixels, 1, 4);
    for (int i = 0; i < 4 * pixels; i++) wholes_of(src)[i] = cvk_between(check, 0, 255 * taps);
    const float scale = 1 / ((float)taps * (float)taps);
    cvk_buffer wanted = cvk_result(check, 4 * width, 1, 1);
    cvk_i32_box_row_c4__scalar(wanted.bytes, wholes_of(src), width, taps, scale);
    CVK_EACH_VARIANT(check, cvk_i32_box_row_c4, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, wholes_of(src), width, taps, scale);
      cvk_expect_equal(check, wanted, got);
      const int x = cvk_between(check, 0, 4 * width - 1);
      double sum = 0;
      for (int k = 0; k < taps; k++) sum += wholes_of(src)[x + 4 * k];
      cvk_expect(check, fabs(got.bytes[x] - sum / taps / taps) <= 0.5001, "not the mean");
    }
  }
}

/* The bilinear mean in double precision. */
static double sampled(cvk_buffer src, int width, double u, double v, int c) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    const double x = floor(u) + (i & 1), y = floor(v) + (i >> 1);
    if (x < 0 || y < 0 || x >= width || y >= src.rows) continue;
    sum += (1 - fabs(u - x)) * (1 - fabs(v - y)) * src.bytes[(int)y * src.stride + 4 * (int)x + c];
  }
  return sum;
}

void cvk_check_cvk_u8_warp_row_c4(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 200), src_width = cvk_size(check, 300);
    cvk_buffer src = cvk_source(check, 4 * src_width, cvk_size(check, 40), 1);
    const double slope = (double)cvk_float_between(check, -2, 2), w = 1 + (double)cvk_float_between(check, 0, 1);
    cvk_projective_row map = {
        (double)cvk_float_between(check, -40, 80), (double)cvk_float_between(check, -20, 40), w, slope,
        (double)cvk_float_between(check, -0.2f, 0.2f), (double)cvk_float_between(check, -0.9f, 2) * w / width};
    if (cvk_case(check) % 4 == 0) /* whole pixels, so that the edges are hit exactly */
      map = (cvk_projective_row){cvk_between(check, -9, 9), cvk_between(check, -1, 9), 1, 1, 0, 0};
    cvk_buffer wanted = cvk_result(check, 4 * width, 1, 1);
    cvk_u8_warp_row_c4__scalar(wanted.bytes, src.bytes, src.stride, width, src_width, src.rows, &map);
    CVK_EACH_VARIANT(check, cvk_u8_warp_row_c4, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, src.bytes, src.stride, width, src_width, src.rows, &map);
      for (int i = 0; i < 4 * width; i++)
        cvk_expect(check, abs(got.bytes[i] - wanted.bytes[i]) <= 1, "further than a level from the reference");
      for (int k = 0; k < 8; k++) {
        const int x = cvk_between(check, 0, width - 1), c = cvk_between(check, 0, 3);
        const double scale = 1 / (map.w + map.dw * x);
        const double value = sampled(src, src_width, (map.u + map.du * x) * scale, (map.v + map.dv * x) * scale, c);
        cvk_expect(check, fabs(got.bytes[4 * x + c] - value) <= 1, "further than a level from the mean");
      }
    }
  }
}

/* What the matrix makes of a pixel, in double precision; colours and alpha from 0 to `full`. */
static void changed(double *result, const double *pixel, const float *matrix, double full) {
  const double alpha = pixel[3] / full;
  double u[5] = {0, 0, 0, alpha, 1};
  for (int i = 0; i < 3; i++) u[i] = alpha > 0 ? pixel[i] / full / alpha : 0;
  for (int i = 3; i >= 0; i--) {
    double value = 0;
    for (int j = 0; j < 5; j++) value += (double)matrix[5 * i + j] * u[j];
    result[i] = i == 3 ? full * fmin(fmax(value, 0), 1) : value * result[3];
  }
}

void cvk_check_cvk_u8_colour_matrix_c4(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 90);
    cvk_buffer src = cvk_source(check, 4 * width, 1, 1), matrix = cvk_float_source(check, 20, 1, -2, 2);
    for (int i = 0; i < 4 * width; i++) /* colours are multiplied by alpha */
      src.bytes[i] = (uint8_t)(src.bytes[i] * src.bytes[i | 3] / (i % 4 == 3 ? src.bytes[i] + !src.bytes[i] : 255));
    cvk_buffer wanted = cvk_result(check, 4 * width, 1, 1);
    cvk_u8_colour_matrix_c4__scalar(wanted.bytes, src.bytes, width, floats_of(matrix));
    CVK_EACH_VARIANT(check, cvk_u8_colour_matrix_c4, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, src.bytes, width, floats_of(matrix));
      const int x = cvk_between(check, 0, width - 1);
      double pixel[4], result[4];
      for (int i = 0; i < 4; i++) pixel[i] = src.bytes[4 * x + i];
      changed(result, pixel, floats_of(matrix), 255);
      for (int i = 0; i < 4 * width; i++)
        cvk_expect(check, abs(got.bytes[i] - wanted.bytes[i]) <= 1, "further than a level from the reference");
      for (int i = 0; i < 4; i++)
        cvk_expect(check, fabs(got.bytes[4 * x + i] - fmin(fmax(result[i], 0), 255)) <= 0.51, "not the matrix");
      cvk_buffer place = cvk_result(check, 4 * width, 1, 1);
      memcpy(place.bytes, src.bytes, (size_t)(4 * width));
      variant(place.bytes, place.bytes, width, floats_of(matrix));
      cvk_expect(check, memcmp(place.bytes, got.bytes, (size_t)(4 * width)) == 0, "other pixels in place");
    }
  }
}

void cvk_check_cvk_f32_colour_matrix_c4(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 90);
    cvk_buffer src = cvk_float_source(check, 4 * width, 1, 0, 1), matrix = cvk_float_source(check, 20, 1, -2, 2);
    for (int i = 0; i < 4 * width; i++)
      if (i % 4 != 3) floats_of(src)[i] *= floats_of(src)[i | 3];
    cvk_buffer wanted = cvk_result(check, 16 * width, 1, 4);
    cvk_f32_colour_matrix_c4__scalar(floats_of(wanted), floats_of(src), width, floats_of(matrix));
    CVK_EACH_VARIANT(check, cvk_f32_colour_matrix_c4, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), floats_of(src), width, floats_of(matrix));
      cvk_expect_close(check, wanted, got, 1e-5f, 0);
      const int x = cvk_between(check, 0, width - 1);
      double pixel[4], result[4];
      for (int i = 0; i < 4; i++) pixel[i] = (double)floats_of(src)[4 * x + i];
      changed(result, pixel, floats_of(matrix), 1);
      for (int i = 0; i < 4; i++)
        cvk_expect(check, fabs((double)floats_of(got)[4 * x + i] - result[i]) <= 1e-5, "not the matrix");
      cvk_buffer place = cvk_result(check, 16 * width, 1, 4);
      memcpy(place.bytes, src.bytes, (size_t)(16 * width));
      variant(floats_of(place), floats_of(place), width, floats_of(matrix));
      cvk_expect(check, memcmp(place.bytes, got.bytes, (size_t)(16 * width)) == 0, "other pixels in place");
    }
  }
}

void cvk_check_cvk_u8_mask_c4(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 90), channel = cvk_between(check, 0, 3);
    cvk_buffer front = cvk_source(check, 4 * width, 1, 1), back = cvk_source(check, 4 * width, 1, 1);
    cvk_buffer mask = cvk_source(check, 4 * width, 1, 1), wanted = cvk_result(check, 4 * width, 1, 1);
    cvk_u8_mask_c4__scalar(wanted.bytes, front.bytes, back.bytes, mask.bytes, width, channel);
    CVK_EACH_VARIANT(check, cvk_u8_mask_c4, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, front.bytes, back.bytes, mask.bytes, width, channel);
      cvk_expect_equal(check, wanted, got);
      for (int i = 0; i < 4 * width; i++) {
        const int m = mask.bytes[i / 4 * 4 + channel];
        const int sum = front.bytes[i] * m + back.bytes[i] * (255 - m);
        cvk_expect(check, got.bytes[i] == (2 * sum + 255) / 510, "not the nearest mean");
      }
    }
  }
}
