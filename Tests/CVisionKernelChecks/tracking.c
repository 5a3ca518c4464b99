/* Checks of the correlation trackers' kernels: all variants give the same bits as scalar. */
#include <math.h>

#include "check.h"

static float *floats(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }

/* One dense row of floats as a source, and as a result. */
static cvk_buffer source(cvk_check *check, int count) { return cvk_float_source(check, count, 1, -3, 3); }
static cvk_buffer result(cvk_check *check, int count) { return cvk_result(check, count * 4, 1, 4); }

static double position(cvk_check *check, int length) {
  switch (cvk_between(check, 0, 19)) {
    case 0: return NAN;
    case 1: return cvk_between(check, 0, 1) ? INFINITY : -INFINITY;
    case 2: return cvk_between(check, 0, 1) ? 1e300 : -1e300;
    default: return (double)cvk_float_between(check, -2.0f * (float)length, 2.0f * (float)length);
  }
}

static double step(cvk_check *check) {
  switch (cvk_between(check, 0, 29)) {
    case 0: return NAN;
    case 1: return 0;
    case 2: return -cvk_float_between(check, 0, 20);
    case 3: return INFINITY;
    case 4: return 1e9;
    case 5: return 8;
    case 6: return 1;
    default: return (double)cvk_float_between(check, 0.01f, cvk_between(check, 0, 2) ? 4 : 60);
  }
}

void cvk_check_cvk_u8_track_sample(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 200), height = cvk_size(check, 150);
    int columns = cvk_size(check, CVK_TRACK_MOST_CELLS), rows = cvk_size(check, CVK_TRACK_MOST_CELLS);
    cvk_buffer src = cvk_source(check, width, height, 1);
    int phase_stride = columns + 2 + (cvk_between(check, 0, 1) ? cvk_between(check, 0, 40) : 0);
    cvk_track_view view = {position(check, width), position(check, height), step(check), step(check), phase_stride};
    int row = phase_stride * (CVK_TRACK_CELL - 1) + columns + 2;
    cvk_buffer wanted = cvk_result(check, row * 4, rows * CVK_TRACK_CELL, 4);
    cvk_u8_track_sample__scalar(floats(wanted), wanted.stride, src.bytes, src.stride, width, height, columns, rows,
                                &view);
    for (int y = 0; y < wanted.rows; y++)
      for (int x = 0; x < row; x++) {
        float value = *(float *)(void *)(wanted.bytes + y * wanted.stride + x * 4);
        if (x % phase_stride < columns + 2 && !(value >= 0 && value <= 255.01f))
          cvk_expect(check, 0, "a sample is out of range");
      }
    CVK_EACH_VARIANT(check, cvk_u8_track_sample, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      /* Floats between the phases belong to other patches and must not change. */
      for (int y = 0; y < wanted.rows; y++)
        for (int x = 0; x < row * 4; x++)
          if (x / 4 % phase_stride >= columns + 2)
            got.bytes[y * got.stride + x] = wanted.bytes[y * wanted.stride + x];
      variant(floats(got), got.stride, src.bytes, src.stride, width, height, columns, rows, &view);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_track_cells(cvk_check *check) {
  while (cvk_next_case(check)) {
    int columns = cvk_size(check, 30), rows = cvk_size(check, 12), patches = cvk_size(check, 5);
    int elements = (columns + 2) * patches, plane = columns * rows;
    cvk_buffer src = cvk_float_source(check, elements * CVK_TRACK_CELL, rows * CVK_TRACK_CELL, 0, 255);
    cvk_buffer window = source(check, elements * rows);
    cvk_buffer work = result(check, (int)cvk_track_cells_work(columns, rows, patches));
    int bin_bytes = plane * 4, patch_bytes = bin_bytes * CVK_TRACK_BINS;
    cvk_buffer wanted = result(check, plane * CVK_TRACK_BINS * patches);
    cvk_f32_track_cells__scalar(floats(wanted), bin_bytes, patch_bytes, floats(src), src.stride, columns, rows, patches,
                                floats(window), floats(work));
    for (int i = 0; i < plane * CVK_TRACK_BINS * patches; i++)
      if (!(fabsf(floats(wanted)[i]) <= 1.3f)) cvk_expect(check, 0, "a feature is not within the clip");
    CVK_EACH_VARIANT(check, cvk_f32_track_cells, variant) {
      cvk_buffer got = cvk_result_like(check, wanted), used = cvk_result_like(check, work);
      variant(floats(got), bin_bytes, patch_bytes, floats(src), src.stride, columns, rows, patches, floats(window),
              floats(used));
      cvk_expect_equal(check, wanted, got);
      cvk_expect_equal(check, work, used);
    }
  }
}

void cvk_check_cvk_f32_track_respond(cvk_check *check) {
  while (cvk_next_case(check)) {
    int count = cvk_size(check, 500), channels = cvk_size(check, 12), all = count * channels;
    cvk_buffer fr = source(check, all), fi = source(check, all), xr = source(check, all), xi = source(check, all);
    cvk_buffer re = result(check, count), im = result(check, count);
    cvk_f32_track_respond__scalar(floats(re), floats(im), floats(fr), floats(fi), floats(xr), floats(xi), count,
                                  channels);
    CVK_EACH_VARIANT(check, cvk_f32_track_respond, variant) {
      cvk_buffer got_re = cvk_result_like(check, re), got_im = cvk_result_like(check, im);
      variant(floats(got_re), floats(got_im), floats(fr), floats(fi), floats(xr), floats(xi), count, channels);
      cvk_expect_equal(check, re, got_re);
      cvk_expect_equal(check, im, got_im);
    }
  }
}

/* Copies the contents of `kept` to `got`, for in-place kernels. */
static cvk_buffer in_place(cvk_check *check, cvk_buffer like, cvk_buffer kept) {
  cvk_buffer got = cvk_result_like(check, like);
  for (int i = 0; i < kept.row_bytes; i++) got.bytes[i] = kept.bytes[i];
  return got;
}

void cvk_check_cvk_f32_track_solve(cvk_check *check) {
  while (cvk_next_case(check)) {
    int count = cvk_size(check, 500), channels = cvk_size(check, 12), all = count * channels;
    cvk_buffer xr = source(check, all), xi = source(check, all), pr = source(check, all), pi = source(check, all);
    cvk_buffer y = source(check, count), work = result(check, 3 * count);
    float penalty = cvk_float_between(check, 0.01f, 1000);
    cvk_buffer re = in_place(check, result(check, all), pr), im = in_place(check, result(check, all), pi);
    cvk_f32_track_solve__scalar(floats(re), floats(im), floats(xr), floats(xi), floats(y), count, channels, penalty,
                                floats(work));
    CVK_EACH_VARIANT(check, cvk_f32_track_solve, variant) {
      cvk_buffer got_re = in_place(check, re, pr), got_im = in_place(check, im, pi);
      cvk_buffer used = cvk_result_like(check, work);
      variant(floats(got_re), floats(got_im), floats(xr), floats(xi), floats(y), count, channels, penalty,
              floats(used));
      cvk_expect_equal(check, re, got_re);
      cvk_expect_equal(check, im, got_im);
      cvk_expect_equal(check, work, used);
    }
  }
}

void cvk_check_cvk_f32_track_blend(cvk_check *check) {
  while (cvk_next_case(check)) {
    int count = cvk_size(check, 1000);
    cvk_buffer src = source(check, count), old = source(check, count);
    float rate = cvk_float_between(check, 0, 1);
    cvk_buffer wanted = in_place(check, result(check, count), old);
    cvk_f32_track_blend__scalar(floats(wanted), floats(src), count, rate);
    CVK_EACH_VARIANT(check, cvk_f32_track_blend, variant) {
      cvk_buffer got = in_place(check, wanted, old);
      variant(floats(got), floats(src), count, rate);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_track_weigh(cvk_check *check) {
  while (cvk_next_case(check)) {
    int count = cvk_size(check, 500), planes = cvk_size(check, 12);
    cvk_buffer weight = source(check, count), old = source(check, count * planes);
    cvk_buffer wanted = in_place(check, result(check, count * planes), old);
    cvk_f32_track_weigh__scalar(floats(wanted), floats(weight), count, planes);
    CVK_EACH_VARIANT(check, cvk_f32_track_weigh, variant) {
      cvk_buffer got = in_place(check, wanted, old);
      variant(floats(got), floats(weight), count, planes);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_track_dot(cvk_check *check) {
  while (cvk_next_case(check)) {
    int count = cvk_size(check, 500), rows = cvk_size(check, 9), all = count * rows;
    cvk_buffer ar = source(check, all), ai = source(check, all), br = source(check, all), bi = source(check, all);
    cvk_buffer re = result(check, rows), im = result(check, rows);
    cvk_f32_track_dot__scalar(floats(re), floats(im), floats(ar), floats(ai), floats(br), floats(bi), count, rows);
    CVK_EACH_VARIANT(check, cvk_f32_track_dot, variant) {
      cvk_buffer got_re = cvk_result_like(check, re), got_im = cvk_result_like(check, im);
      variant(floats(got_re), floats(got_im), floats(ar), floats(ai), floats(br), floats(bi), count, rows);
      cvk_expect_equal(check, re, got_re);
      cvk_expect_equal(check, im, got_im);
    }
  }
}
