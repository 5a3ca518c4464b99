/* Checks of the kernels for optical flow: all variants give the same bits as scalar. */
#include <string.h>

#include "check.h"

/* A plane with its margins. */
typedef struct plane {
  cvk_buffer buffer;
  float *pixels;
} plane;

static plane as_plane(cvk_buffer buffer) {
  return (plane){buffer, (float *)(void *)buffer.bytes + CVK_FLOW_MARGIN};
}

static plane empty_plane(cvk_check *check, int width, int height) {
  cvk_buffer buffer = cvk_result(check, 4 * (int)cvk_flow_stride(width) * height, 1, 64);
  memset(buffer.bytes, 0, (size_t)buffer.row_bytes);
  return as_plane(buffer);
}

static plane plane_like(cvk_check *check, plane other) {
  cvk_buffer buffer = cvk_result_like(check, other.buffer);
  memset(buffer.bytes, 0, (size_t)buffer.row_bytes);
  return as_plane(buffer);
}

static plane copy_of(cvk_check *check, plane other) {
  plane copy = plane_like(check, other);
  memcpy(copy.buffer.bytes, other.buffer.bytes, (size_t)other.buffer.row_bytes);
  return copy;
}

static plane random_plane(cvk_check *check, int width, int height, float low, float high) {
  plane p = empty_plane(check, width, height);
  for (int y = 0; y < height; y++) {
    float *row = p.pixels + y * cvk_flow_stride(width);
    for (int x = 0; x < width; x++) row[x] = cvk_float_between(check, low, high);
    for (int i = 1; i <= CVK_FLOW_EDGE; i++) row[-i] = row[0], row[width - 1 + i] = row[width - 1];
  }
  return p;
}

static float *work_of(cvk_check *check, int width) {
  cvk_buffer work = cvk_result(check, 4 * 12 * (int)cvk_flow_stride(width), 1, 64);
  return (float *)(void *)work.bytes;
}

static float at(plane p, int width, int height, int x, int y) {
  x = x < 0 ? 0 : x >= width ? width - 1 : x, y = y < 0 ? 0 : y >= height ? height - 1 : y;
  return p.pixels[y * cvk_flow_stride(width) + x];
}

static float distance(float a, float b) { return a < b ? b - a : a - b; }

void cvk_check_cvk_u8_flow_plane(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 90), height = cvk_size(check, 9);
    cvk_buffer src = cvk_source(check, width, height, 1);
    plane wanted = empty_plane(check, width, height);
    cvk_u8_flow_plane__scalar(wanted.pixels, src.bytes, src.stride, width, height);
    int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1);
    cvk_expect(check, at(wanted, width, height, x, y) == (float)src.bytes[y * src.stride + x], "a pixel differs");
    CVK_EACH_VARIANT(check, cvk_u8_flow_plane, variant) {
      plane got = plane_like(check, wanted);
      variant(got.pixels, src.bytes, src.stride, width, height);
      cvk_expect_equal(check, wanted.buffer, got.buffer);
    }
  }
}

void cvk_check_cvk_f32_flow_reduce(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 90), height = cvk_size(check, 20), columns = (width + 1) / 2, rows = (height + 1) / 2;
    plane src = random_plane(check, width, height, 0, 255), wanted = empty_plane(check, columns, rows);
    cvk_f32_flow_reduce__scalar(wanted.pixels, src.pixels, width, height, work_of(check, width));
    int x = cvk_between(check, 0, columns - 1), y = cvk_between(check, 0, rows - 1);
    static const float weights[4] = {1, 3, 3, 1};
    float sum = 0;
    for (int j = 0; j < 4; j++)
      for (int i = 0; i < 4; i++)
        sum += weights[j] * weights[i] * at(src, width, height, 2 * x + i - 1, 2 * y + j - 1) / 64;
    cvk_expect(check, distance(sum, at(wanted, columns, rows, x, y)) < 0.01f, "a pixel is not that of the filter");
    CVK_EACH_VARIANT(check, cvk_f32_flow_reduce, variant) {
      plane got = plane_like(check, wanted);
      variant(got.pixels, src.pixels, width, height, work_of(check, width));
      cvk_expect_equal(check, wanted.buffer, got.buffer);
    }
  }
}

void cvk_check_cvk_f32_flow_enlarge(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 90), height = cvk_size(check, 20), columns = (width + 1) / 2, rows = (height + 1) / 2;
    plane src = random_plane(check, columns, rows, -9, 9), wanted = empty_plane(check, width, height);
    cvk_f32_flow_enlarge__scalar(wanted.pixels, src.pixels, width, height, 2);
    int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1);
    int dx = x & 1 ? 1 : -1, dy = y & 1 ? 1 : -1;
    float sum = 1.125f * at(src, columns, rows, x / 2, y / 2) +
                0.375f * (at(src, columns, rows, x / 2 + dx, y / 2) + at(src, columns, rows, x / 2, y / 2 + dy)) +
                0.125f * at(src, columns, rows, x / 2 + dx, y / 2 + dy);
    cvk_expect(check, distance(sum, at(wanted, width, height, x, y)) < 1e-4f, "a pixel is not interpolated");
    CVK_EACH_VARIANT(check, cvk_f32_flow_enlarge, variant) {
      plane got = plane_like(check, wanted);
      variant(got.pixels, src.pixels, width, height, 2);
      cvk_expect_equal(check, wanted.buffer, got.buffer);
    }
  }
}

void cvk_check_cvk_f32_flow_warp(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 90), height = cvk_size(check, 20);
    float far = cvk_between(check, 0, 1) ? 5.0f : 1e6f;
    plane first = random_plane(check, width, height, 0, 255), second = random_plane(check, width, height, 0, 255);
    plane u = random_plane(check, width, height, -far, far), v = random_plane(check, width, height, -far, far);
    plane mean = empty_plane(check, width, height), change = empty_plane(check, width, height);
    cvk_f32_flow_warp__scalar(mean.pixels, change.pixels, first.pixels, second.pixels, u.pixels, v.pixels, width,
                              height);
    int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1);
    float value = at(mean, width, height, x, y) + 0.5f * at(change, width, height, x, y);
    cvk_expect(check, value >= -0.01f && value <= 255.01f, "a pixel is outside of the range of the second image");
    float other = at(mean, width, height, x, y) - 0.5f * at(change, width, height, x, y);
    cvk_expect(check, distance(other, at(first, width, height, x, y)) < 0.01f,
               "a pixel is not that of the first image");
    CVK_EACH_VARIANT(check, cvk_f32_flow_warp, variant) {
      plane own_mean = plane_like(check, mean), own_change = plane_like(check, change);
      variant(own_mean.pixels, own_change.pixels, first.pixels, second.pixels, u.pixels, v.pixels, width, height);
      cvk_expect_equal(check, mean.buffer, own_mean.buffer);
      cvk_expect_equal(check, change.buffer, own_change.buffer);
    }
  }
}

void cvk_check_cvk_f32_flow_gradient(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 90), height = cvk_size(check, 20);
    plane src = empty_plane(check, width, height), dx = empty_plane(check, width, height);
    plane dy = plane_like(check, dx);
    float a = cvk_float_between(check, -3, 3), b = cvk_float_between(check, -3, 3);
    for (int y = 0; y < height; y++)
      for (int x = -2; x < width + 2; x++) src.pixels[y * cvk_flow_stride(width) + x] = a * (float)x + b * (float)y;
    cvk_f32_flow_gradient__scalar(dx.pixels, dy.pixels, src.pixels, width, height);
    if (height > 5) {
      int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 2, height - 3);
      cvk_expect(check, distance(at(dx, width, height, x, y), a) < 1e-3f, "the slope along x differs");
      cvk_expect(check, distance(at(dy, width, height, x, y), b) < 1e-3f, "the slope along y differs");
    }
    CVK_EACH_VARIANT(check, cvk_f32_flow_gradient, variant) {
      plane own_dx = plane_like(check, dx), own_dy = plane_like(check, dy);
      variant(own_dx.pixels, own_dy.pixels, src.pixels, width, height);
      cvk_expect_equal(check, dx.buffer, own_dx.buffer);
      cvk_expect_equal(check, dy.buffer, own_dy.buffer);
    }
  }
}

static const cvk_flow_weights weights = {4, 10, 60, 2, 0.05f, 28};

static cvk_buffer equations(cvk_check *check, cvk_f32_flow_equations__function variant, int width, int height,
                            const plane *planes, plane *spread, const cvk_buffer *like) {
  cvk_buffer system = like ? cvk_result_like(check, *like)
                           : cvk_result(check, 4 * (int)cvk_flow_system_stride(width) * height, 1, 64);
  variant((float *)(void *)system.bytes, spread->pixels, planes[0].pixels, planes[1].pixels, planes[2].pixels,
          planes[3].pixels, planes[4].pixels, width, height, &weights, work_of(check, width));
  return system;
}

static void random_planes(cvk_check *check, int width, int height, plane *planes) {
  for (int i = 0; i < 5; i++) planes[i] = random_plane(check, width, height, -20, 20);
}

void cvk_check_cvk_f32_flow_equations(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 70), height = cvk_size(check, 10);
    plane planes[5];
    random_planes(check, width, height, planes);
    plane spread = empty_plane(check, width, height);
    cvk_buffer wanted = equations(check, cvk_f32_flow_equations__scalar, width, height, planes, &spread, 0);
    CVK_EACH_VARIANT(check, cvk_f32_flow_equations, variant) {
      plane own = plane_like(check, spread);
      cvk_buffer got = equations(check, variant, width, height, planes, &own, &wanted);
      cvk_expect_equal(check, wanted, got);
      cvk_expect_equal(check, spread.buffer, own.buffer);
    }
  }
}

void cvk_check_cvk_f32_flow_relax(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 70), height = cvk_size(check, 10), count = cvk_between(check, 1, 7);
    plane planes[5];
    random_planes(check, width, height, planes);
    plane spread = empty_plane(check, width, height);
    cvk_buffer system = equations(check, cvk_f32_flow_equations__scalar, width, height, planes, &spread, 0);
    cvk_buffer first = cvk_result_like(check, system);
    memcpy(first.bytes, system.bytes, (size_t)system.row_bytes);
    plane u = empty_plane(check, width, height), v = plane_like(check, u);
    cvk_f32_flow_relax__scalar(u.pixels, v.pixels, (float *)(void *)first.bytes, width, height, count, 1.8f);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        cvk_expect(check, distance(at(u, width, height, x, y), 0) < 1e6f, "the relaxation diverges");
    CVK_EACH_VARIANT(check, cvk_f32_flow_relax, variant) {
      cvk_buffer own = cvk_result_like(check, system);
      memcpy(own.bytes, system.bytes, (size_t)system.row_bytes);
      plane own_u = plane_like(check, u), own_v = plane_like(check, v);
      variant(own_u.pixels, own_v.pixels, (float *)(void *)own.bytes, width, height, count, 1.8f);
      cvk_expect_equal(check, u.buffer, own_u.buffer);
      cvk_expect_equal(check, v.buffer, own_v.buffer);
      cvk_expect_equal(check, first, own);
    }
  }
}

void cvk_check_cvk_f32_flow_median(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 70), height = cvk_size(check, 10), radius = cvk_between(check, 1, 2);
    plane src = random_plane(check, width, height, -9, 9), wanted = empty_plane(check, width, height);
    cvk_f32_flow_median__scalar(wanted.pixels, src.pixels, width, height, radius);
    int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1), below = 0, equal = 0;
    float median = at(wanted, width, height, x, y);
    for (int j = -radius; j <= radius; j++)
      for (int i = -radius; i <= radius; i++) {
        float value = at(src, width, height, x + i, y + j);
        below += value < median, equal += value == median;
      }
    int half = (2 * radius + 1) * (2 * radius + 1) / 2;
    cvk_expect(check, equal > 0 && below <= half && below + equal > half, "a pixel is not the median");
    CVK_EACH_VARIANT(check, cvk_f32_flow_median, variant) {
      plane got = copy_of(check, wanted);
      memset(got.buffer.bytes, 0, (size_t)got.buffer.row_bytes);
      variant(got.pixels, src.pixels, width, height, radius);
      cvk_expect_equal(check, wanted.buffer, got.buffer);
    }
  }
}

void cvk_check_cvk_f32_flow_match(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 60), height = cvk_size(check, 40);
    plane first = random_plane(check, width, height, 0, 255), second = empty_plane(check, width, height);
    int dx = cvk_between(check, -CVK_FLOW_REACH, CVK_FLOW_REACH - 1), dy = cvk_between(check, -4, 4);
    for (int y = 0; y < height; y++) {
      float *row = second.pixels + y * cvk_flow_stride(width);
      for (int x = -2; x < width + 2; x++) row[x] = at(first, width, height, x - dx, y - dy);
    }
    plane u = random_plane(check, width, height, -3, 3), v = random_plane(check, width, height, -3, 3);
    plane wanted_u = copy_of(check, u), wanted_v = copy_of(check, v);
    cvk_f32_flow_match__scalar(wanted_u.pixels, wanted_v.pixels, first.pixels, second.pixels, width, height, 0.6f, 64);
    if (width >= 40 && height >= 30 && (dx < -5 || dx > 5)) {
      cvk_expect(check, at(wanted_u, width, height, 18, 14) == (float)dx, "the shift along x is not found");
      cvk_expect(check, at(wanted_v, width, height, 18, 14) == (float)dy, "the shift along y is not found");
    }
    CVK_EACH_VARIANT(check, cvk_f32_flow_match, variant) {
      plane own_u = copy_of(check, u), own_v = copy_of(check, v);
      variant(own_u.pixels, own_v.pixels, first.pixels, second.pixels, width, height, 0.6f, 64);
      cvk_expect(check, memcmp(own_u.buffer.bytes, wanted_u.buffer.bytes, (size_t)u.buffer.row_bytes) == 0 &&
                 memcmp(own_v.buffer.bytes, wanted_v.buffer.bytes, (size_t)v.buffer.row_bytes) == 0,
                 "the flow differs");
    }
  }
}
