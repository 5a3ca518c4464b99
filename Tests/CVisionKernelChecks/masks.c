/* Checks of the guided filter. */
#include <math.h>

#include "check.h"

enum { PRODUCTS = 13, FACTORS = 4 };

static float *floats_of(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }

static void planes_of(float **planes, cvk_buffer buffer, int planes_count, int count) {
  for (int k = 0; k < planes_count; k++) planes[k] = floats_of(buffer) + (ptrdiff_t)k * count;
}

void cvk_check_cvk_f32_box_mean(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 70), height = cvk_size(check, 40), radius = cvk_between(check, 0, 30);
    cvk_buffer src = cvk_float_source(check, width * height, 1, -2, 2);
    cvk_buffer sums = cvk_result(check, width * 8, 1, 8), wanted = cvk_result(check, width * height * 4, 1, 4);
    double *work = (double *)(void *)sums.bytes;
    cvk_f32_box_mean__scalar(floats_of(wanted), floats_of(src), width, height, radius, work);
    CVK_EACH_VARIANT(check, cvk_f32_box_mean, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), floats_of(src), width, height, radius, work);
      cvk_expect_equal(check, wanted, got);
      for (int k = 0; k < 4; k++) { /* some pixels the slow way */
        const int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1);
        double sum = 0;
        int count = 0;
        for (int v = y - radius; v <= y + radius; v++)
          for (int u = x - radius; u <= x + radius; u++)
            if (u >= 0 && v >= 0 && u < width && v < height) sum += floats_of(src)[v * width + u], count++;
        const double error = fabs(floats_of(got)[y * width + x] - sum / count);
        cvk_expect(check, error <= 3e-7, "not the mean of the square");
      }
    }
  }
}

void cvk_check_cvk_f32_guided_products(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 70), height = cvk_size(check, 9), count = width * height;
    cvk_buffer guide = cvk_source(check, width * 4, height, 1), mask = cvk_float_source(check, count, 1, 0, 1);
    cvk_buffer wanted = cvk_result(check, PRODUCTS * count * 4, 1, 4);
    float *planes[PRODUCTS];
    planes_of(planes, wanted, PRODUCTS, count);
    cvk_f32_guided_products__scalar(planes, guide.bytes, guide.stride, floats_of(mask), width, height);
    CVK_EACH_VARIANT(check, cvk_f32_guided_products, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      planes_of(planes, got, PRODUCTS, count);
      variant(planes, guide.bytes, guide.stride, floats_of(mask), width, height);
      cvk_expect_equal(check, wanted, got);
      const int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1);
      const uint8_t *pixel = guide.bytes + y * guide.stride + 4 * x;
      const double colours[3] = {pixel[0] / 255.0, pixel[1] / 255.0, pixel[2] / 255.0};
      const double m = floats_of(mask)[y * width + x];
      int plane = 7;
      for (int a = 0; a < 3; a++) {
        cvk_expect(check, fabs(planes[4 + a][y * width + x] - colours[a] * m) < 1e-6, "a wrong product of the mask");
        for (int b = a; b < 3; b++, plane++)
          cvk_expect(check, fabs(planes[plane][y * width + x] - colours[a] * colours[b]) < 1e-6, "a wrong product");
      }
    }
  }
}

void cvk_check_cvk_f32_guided_solution(cvk_check *check) {
  while (cvk_next_case(check)) {
    /* Means of a few pixels, so that they belong together. */
    const int count = cvk_size(check, 100), pixels = cvk_between(check, 1, 9);
    const float epsilon = cvk_between(check, 0, 1) ? 1e-4f : 1e-2f;
    cvk_buffer means = cvk_float_source(check, PRODUCTS * count, 1, 0, 0);
    float *to[PRODUCTS], *planes[FACTORS];
    planes_of(to, means, PRODUCTS, count);
    for (int i = 0; i < count; i++) {
      double sums[PRODUCTS] = {0};
      for (int p = 0; p < pixels; p++) {
        double v[4];
        for (int k = 0; k < 4; k++) v[k] = cvk_float_between(check, 0, 1);
        const double products[PRODUCTS] = {v[0],        v[1],        v[2],        v[3],        v[0] * v[3],
                                           v[1] * v[3], v[2] * v[3], v[0] * v[0], v[0] * v[1], v[0] * v[2],
                                           v[1] * v[1], v[1] * v[2], v[2] * v[2]};
        for (int k = 0; k < PRODUCTS; k++) sums[k] += products[k];
      }
      for (int k = 0; k < PRODUCTS; k++) to[k][i] = (float)(sums[k] / pixels);
    }
    cvk_buffer wanted = cvk_result(check, FACTORS * count * 4, 1, 4);
    planes_of(planes, wanted, FACTORS, count);
    cvk_f32_guided_solution__scalar(planes, (const float *const *)to, count, epsilon);
    CVK_EACH_VARIANT(check, cvk_f32_guided_solution, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      planes_of(planes, got, FACTORS, count);
      variant(planes, (const float *const *)to, count, epsilon);
      cvk_expect_equal(check, wanted, got);
      const int i = cvk_between(check, 0, count - 1);
      /* The factors solve (covariance + epsilon) factors = covariance with the mask. */
      static const int rows[3][3] = {{7, 8, 9}, {8, 10, 11}, {9, 11, 12}};
      for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (int b = 0; b < 3; b++)
          sum += (to[rows[a][b]][i] - (double)to[a][i] * to[b][i] + (a == b) * epsilon) * planes[b][i];
        const double wish = to[4 + a][i] - (double)to[a][i] * to[3][i];
        cvk_expect(check, fabs(sum - wish) < 2e-3, "not a solution");
      }
    }
  }
}

void cvk_check_cvk_f32_guided_result(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 70), height = cvk_size(check, 9);
    cvk_buffer guide = cvk_source(check, width * 4, height, 1);
    cvk_buffer factors = cvk_float_source(check, width, FACTORS * height, -1, 1);
    const float *a[FACTORS];
    for (int k = 0; k < FACTORS; k++)
      a[k] = (const float *)(const void *)(factors.bytes + (ptrdiff_t)k * height * factors.stride);
    cvk_buffer wanted = cvk_result(check, width * 4, height, 4);
    cvk_f32_guided_result__scalar(
        floats_of(wanted), wanted.stride, a, factors.stride, guide.bytes, guide.stride, width, height);
    CVK_EACH_VARIANT(check, cvk_f32_guided_result, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), got.stride, a, factors.stride, guide.bytes, guide.stride, width, height);
      cvk_expect_equal(check, wanted, got);
      const int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1);
      const uint8_t *pixel = guide.bytes + y * guide.stride + 4 * x;
      double sum = ((const float *)(const void *)((const char *)a[3] + y * factors.stride))[x];
      for (int k = 0; k < 3; k++)
        sum += pixel[k] / 255.0 * ((const float *)(const void *)((const char *)a[k] + y * factors.stride))[x];
      sum = sum < 0 ? 0 : sum > 1 ? 1 : sum;
      const float value = ((const float *)(const void *)(got.bytes + y * got.stride))[x];
      cvk_expect(check, fabs(value - sum) < 1e-6, "a wrong value");
    }
  }
}
