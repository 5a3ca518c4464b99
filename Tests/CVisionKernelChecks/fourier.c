/* Checks of the Fourier transforms and of phase correlation. The scalar transforms are checked against the sums that
 * define them, in double precision, the others against scalar. */
#include <math.h>
#include <string.h>

#include "check.h"

/* Errors are relative to the largest possible result: n elements between -1 and 1. */
static const float relative_to_peak = 5e-7f;

static const cvk_fft_plan *any_plan(cvk_check *check, int width, int height) {
  size_t bytes = cvk_fft_plan_size(width, height);
  cvk_buffer memory = cvk_result(check, (int)bytes, 1, 64);
  cvk_fft_plan *plan = (cvk_fft_plan *)(void *)memory.bytes;
  cvk_fft_plan_init(plan, width, height);
  return plan;
}

static void *any_work(cvk_check *check, const cvk_fft_plan *plan) {
  return cvk_result(check, (int)cvk_fft_work_size(plan), 1, 4).bytes;
}

static float *floats(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }
static float at(cvk_buffer buffer, int x, int y) {
  return ((const float *)(const void *)(buffer.bytes + y * buffer.stride))[x];
}

/* A buffer for in-place operation, with the guards and contents of `other`. */
static cvk_buffer copy(cvk_check *check, cvk_buffer other) {
  cvk_buffer buffer = cvk_result_like(check, other);
  for (int y = 0; y < other.rows; y++)
    memcpy(buffer.bytes + y * buffer.stride, other.bytes + y * other.stride, (size_t)other.row_bytes);
  return buffer;
}

static int even_length(cvk_check *check, int most) { return cvk_fft_good_length(cvk_size(check, most), 1); }

/* Computes one frequency of a real image by the definition. */
static void frequency(cvk_buffer src, int y0, int width, int height, int kx, int ky, double *re, double *im) {
  *re = *im = 0;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      double angle = -2 * 3.14159265358979323846 * ((double)kx * x / width + (double)ky * y / height);
      *re += at(src, x, y0 + y) * cos(angle), *im += at(src, x, y0 + y) * sin(angle);
    }
  }
}

void cvk_check_cvk_f32_fft2_forward(cvk_check *check) {
  while (cvk_next_case(check)) {
    int large = cvk_case(check) % 20 == 7;
    int width = even_length(check, large ? 700 : 100),
        height = cvk_fft_good_length(cvk_size(check, large ? 300 : 60), 0);
    int half = width / 2 + 1, count = large ? 1 : cvk_between(check, 1, 3);
    const cvk_fft_plan *plan = any_plan(check, width, height);
    void *work = any_work(check, plan);
    cvk_buffer src = cvk_float_source(check, width, height * count, -1, 1);
    cvk_buffer re = cvk_result(check, half * 4, height * count, 4), im = cvk_result_like(check, re);
    float bound = relative_to_peak * (float)width * (float)height;
    cvk_f32_fft2_forward__scalar(floats(re), floats(im), re.stride, re.stride * height, floats(src), src.stride,
                                 src.stride * height, count, plan, work);
    for (int i = 0; i < 20; i++) {
      /* The corners of the half spectrum first: kernels compute them separately. */
      int kx = i == 0 ? 0 : i == 1 ? width / 2 : cvk_between(check, 0, width / 2);
      int ky = i < 2 ? 0 : i < 4 ? height / 2 : cvk_between(check, 0, height - 1),
          image = cvk_between(check, 0, count - 1);
      double wanted_re, wanted_im;
      frequency(src, image * height, width, height, kx, ky, &wanted_re, &wanted_im);
      double error = hypot(at(re, kx, image * height + ky) - wanted_re, at(im, kx, image * height + ky) - wanted_im);
      cvk_expect(check, error <= bound, "a frequency differs from the sum over the image");
    }
    CVK_EACH_VARIANT(check, cvk_f32_fft2_forward, variant) {
      cvk_buffer got_re = cvk_result_like(check, re), got_im = cvk_result_like(check, im);
      variant(floats(got_re), floats(got_im), re.stride, re.stride * height, floats(src), src.stride,
              src.stride * height, count, plan, work);
      cvk_expect_close(check, re, got_re, bound, 0);
      cvk_expect_close(check, im, got_im, bound, 0);
    }
  }
}

void cvk_check_cvk_f32_fft2_inverse(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = even_length(check, 200), height = cvk_fft_good_length(cvk_size(check, 80), 0), half = width / 2 + 1;
    int count = cvk_between(check, 1, 3);
    const cvk_fft_plan *plan = any_plan(check, width, height);
    void *work = any_work(check, plan);
    cvk_buffer image = cvk_float_source(check, width, height * count, -1, 1);
    cvk_buffer re = cvk_result(check, half * 4, height * count, 4), im = cvk_result_like(check, re);
    /* Half of the cases are spectra of a real image, which the inverse must restore; the others are arbitrary. */
    int round_trip = cvk_case(check) % 2 == 0;
    for (int y = 0; y < height * count; y++) {
      for (int x = 0; x < half; x++) {
        floats(re)[y * re.stride / 4 + x] = cvk_float_between(check, -1, 1);
        floats(im)[y * im.stride / 4 + x] = cvk_float_between(check, -1, 1);
      }
    }
    if (round_trip) {
      cvk_f32_fft2_forward__scalar(floats(re), floats(im), re.stride, re.stride * height, floats(image), image.stride,
                                   image.stride * height, count, plan, work);
    }
    cvk_buffer wanted = cvk_result(check, width * 4, height * count, 4);
    cvk_buffer used_re = copy(check, re), used_im = copy(check, im);
    cvk_f32_fft2_inverse__scalar(floats(wanted), wanted.stride, wanted.stride * height, floats(used_re),
                                 floats(used_im), re.stride, re.stride * height, count, plan, work);
    for (int y = 0; y < height * count && round_trip; y++) {
      for (int x = 0; x < width; x++) {
        cvk_expect(check, fabsf(at(wanted, x, y) - at(image, x, y)) <= 4e-6f,
                   "the inverse does not restore the image");
      }
    }
    CVK_EACH_VARIANT(check, cvk_f32_fft2_inverse, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      cvk_buffer got_re = copy(check, re), got_im = copy(check, im);
      variant(floats(got), wanted.stride, wanted.stride * height, floats(got_re), floats(got_im), re.stride,
              re.stride * height, count, plan, work);
      cvk_expect_close(check, wanted, got, 4e-6f, 0);
      /* The spectrum's contents are undefined now, but its guards must be unchanged. */
      cvk_expect_close(check, used_re, got_re, INFINITY, 0);
      cvk_expect_close(check, used_im, got_im, INFINITY, 0);
    }
  }
}

void cvk_check_cvk_f32_fft_columns(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 70), height = cvk_fft_good_length(cvk_size(check, 150), 0);
    int inverse = cvk_between(check, 0, 1), real = cvk_between(check, 0, 3) == 0;
    const cvk_fft_plan *plan = any_plan(check, 0, height);
    void *work = any_work(check, plan);
    cvk_buffer src = cvk_float_source(check, width, 2 * height, -1, 1);
    const float *src_re = floats(src), *src_im = real ? NULL : src_re + height * (src.stride / 4);
    cvk_buffer re = cvk_result(check, width * 4, height, 4), im = cvk_result_like(check, re);
    float bound = 2 * relative_to_peak * (float)height;
    cvk_f32_fft_columns__scalar(floats(re), floats(im), re.stride, src_re, src_im, src.stride, width, inverse, plan,
                                work);
    for (int i = 0; i < 20; i++) {
      int x = cvk_between(check, 0, width - 1), k = cvk_between(check, 0, height - 1);
      double wanted_re = 0, wanted_im = 0;
      for (int y = 0; y < height; y++) {
        double angle = (inverse ? 2 : -2) * 3.14159265358979323846 * (double)k * y / height;
        double r = at(src, x, y), s = real ? 0 : at(src, x, height + y);
        wanted_re += r * cos(angle) - s * sin(angle), wanted_im += r * sin(angle) + s * cos(angle);
      }
      cvk_expect(check, hypot(at(re, x, k) - wanted_re, at(im, x, k) - wanted_im) <= bound,
                 "a frequency differs from the sum over the column");
    }
    CVK_EACH_VARIANT(check, cvk_f32_fft_columns, variant) {
      cvk_buffer got_re = cvk_result_like(check, re), got_im = cvk_result_like(check, im);
      variant(floats(got_re), floats(got_im), re.stride, src_re, src_im, src.stride, width, inverse, plan, work);
      cvk_expect_close(check, re, got_re, bound, 0);
      cvk_expect_close(check, im, got_im, bound, 0);
    }
  }
}

void cvk_check_cvk_u8_fft2_forward_windowed(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 150), height = cvk_size(check, 60);
    int padded_width = cvk_fft_good_length(width, 1), padded_height = cvk_fft_good_length(height, 0);
    int half = padded_width / 2 + 1;
    const cvk_fft_plan *plan = any_plan(check, padded_width, padded_height);
    void *work = any_work(check, plan);
    cvk_buffer src = cvk_source(check, width, height, 1);
    cvk_buffer window_x = cvk_float_source(check, width, 1, 0, 1), window_y = cvk_float_source(check, height, 1, 0, 1);
    float mean = cvk_float_between(check, 0, 255);
    cvk_buffer re = cvk_result(check, half * 4, padded_height, 4), im = cvk_result_like(check, re);
    cvk_buffer windowed = cvk_result(check, padded_width * 4, padded_height, 4);
    for (int y = 0; y < padded_height; y++) {
      for (int x = 0; x < padded_width; x++) {
        int inside = x < width && y < height;
        floats(windowed)[y * windowed.stride / 4 + x] =
            inside ? (src.bytes[y * src.stride + x] - mean) * (at(window_x, x, 0) * at(window_y, y, 0)) : 0;
      }
    }
    cvk_f32_fft2_forward__scalar(floats(re), floats(im), re.stride, 0, floats(windowed), windowed.stride, 0, 1, plan,
                                 work);
    CVK_EACH_VARIANT(check, cvk_u8_fft2_forward_windowed, variant) {
      cvk_buffer got_re = cvk_result_like(check, re), got_im = cvk_result_like(check, im);
      variant(floats(got_re), floats(got_im), re.stride, src.bytes, src.stride, width, height, floats(window_x),
              floats(window_y), mean, plan, work);
      float bound = 255 * relative_to_peak * (float)padded_width * (float)padded_height;
      cvk_expect_close(check, re, got_re, bound, 0);
      cvk_expect_close(check, im, got_im, bound, 0);
    }
  }
}

void cvk_check_cvk_u8_sum(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, cvk_case(check) % 8 == 0 ? 9000 : 300), height = cvk_size(check, 20);
    cvk_buffer src = cvk_source(check, width, height, 1);
    uint64_t wanted = 0;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) wanted += src.bytes[y * src.stride + x];
    CVK_EACH_VARIANT(check, cvk_u8_sum, variant) {
      uint64_t got = 1;
      variant(&got, src.bytes, src.stride, width, height);
      cvk_expect(check, got == wanted, "the sum differs");
    }
  }
}

void cvk_check_cvk_f32_cross_power(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 100), height = cvk_size(check, 9);
    float size = cvk_case(check) % 3 == 0 ? 1e6f : 100, floor = cvk_float_between(check, 0.1f, 1000);
    cvk_buffer planes = cvk_float_source(check, width, 4 * height, -size, size);
    const float *plane[4];
    for (int i = 0; i < 4; i++) plane[i] = floats(planes) + i * height * (planes.stride / 4);
    cvk_buffer re = cvk_result(check, width * 4, height, 4), im = cvk_result_like(check, re);
    cvk_f32_cross_power__scalar(floats(re), floats(im), re.stride, plane[0], plane[1], plane[2], plane[3],
                                planes.stride, width, height, floor);
    CVK_EACH_VARIANT(check, cvk_f32_cross_power, variant) {
      cvk_buffer got_re = cvk_result_like(check, re), got_im = cvk_result_like(check, im);
      variant(floats(got_re), floats(got_im), re.stride, plane[0], plane[1], plane[2], plane[3], planes.stride, width,
              height, floor);
      cvk_expect_close(check, re, got_re, 2e-6f, 0);
      cvk_expect_close(check, im, got_im, 2e-6f, 0);
    }
  }
}

void cvk_check_cvk_f32_max_of_64(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 400), height = cvk_size(check, 9);
    cvk_buffer src = cvk_float_source(check, width, height, -3, 3);
    cvk_buffer wanted = cvk_result(check, (width + 63) / 64 * 4, height, 4);
    cvk_f32_max_of_64__scalar(floats(wanted), wanted.stride, floats(src), src.stride, width, height);
    CVK_EACH_VARIANT(check, cvk_f32_max_of_64, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), wanted.stride, floats(src), src.stride, width, height);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_translation_sums(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 200), rows = cvk_size(check, 9), step = cvk_between(check, 1, 3);
    int height = (rows - 1) * step + 1;
    cvk_buffer reference = cvk_source(check, width + 2, height + 2, 1),
        floating = cvk_source(check, width + 5, height + 5, 1);
    float taps[2][6];
    for (int i = 0; i < 12; i++) taps[i / 6][i % 6] = i % 6 == 5 ? 1 : cvk_float_between(check, -0.5f, 0.5f);
    for (int i = 0; i < 10; i++) taps[i / 5][5] -= taps[i / 5][i % 5];
    double wanted[14];
    cvk_buffer work = cvk_result(check, (width + 5) * 4, 1, 4);
    cvk_u8_translation_sums__scalar(wanted, reference.bytes + reference.stride + 1, reference.stride,
                                    floating.bytes + 2 * floating.stride + 2, floating.stride, width, rows, step,
                                    taps[0], taps[1], floats(work));
    CVK_EACH_VARIANT(check, cvk_u8_translation_sums, variant) {
      double got[14];
      cvk_buffer own_work = cvk_result_like(check, work);
      variant(got, reference.bytes + reference.stride + 1, reference.stride, floating.bytes + 2 * floating.stride + 2,
              floating.stride, width, rows, step, taps[0], taps[1], floats(own_work));
      for (int i = 0; i < 14; i++) {
        /* Products of values up to about 1000, summed in single precision within a row. */
        double bound = 2e-6 * 1e6 * width * rows;
        cvk_expect(check, fabs(got[i] - wanted[i]) <= bound, "a sum differs");
      }
    }
  }
}
