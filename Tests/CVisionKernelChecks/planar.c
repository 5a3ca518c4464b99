/* Checks of the alignment of planar patches and of corners: all variants give the same bits as scalar. */
#include <math.h>

#include "check.h"

static float *floats(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }
static cvk_buffer source(cvk_check *check, int count, float low, float high) {
  return cvk_float_source(check, count, 1, low, high);
}
static cvk_buffer result(cvk_check *check, int count) { return cvk_result(check, count * 4, 1, 4); }
static int side(cvk_check *check) { return CVK_PLANAR_CELL * cvk_between(check, 1, cvk_between(check, 0, 3) ? 4 : 16); }

static double entry(cvk_check *check, double size) {
  switch (cvk_between(check, 0, 39)) {
    case 0: return NAN;
    case 1: return cvk_between(check, 0, 1) ? INFINITY : -INFINITY;
    case 2: return cvk_between(check, 0, 1) ? 1e300 : -1e300;
    case 3: return 0;
    default: return (double)cvk_float_between(check, -1, 1) * size;
  }
}

/* Random maps, some of them degenerate. */
static cvk_planar_map any_map(cvk_check *check, int width, int height, int columns, int rows) {
  cvk_planar_map map;
  for (int i = 0; i < 6; i++) map.m[i] = entry(check, i % 3 == 2 ? 100 : 2);
  map.m[6] = entry(check, 0.004), map.m[7] = entry(check, 0.004),
      map.m[8] = cvk_between(check, 0, 19) ? 1 : entry(check, 1);
  /* Samples exactly on the edges of the image. */
  if (cvk_case(check) % 4 == 0)
    map = (cvk_planar_map){{(width - 1.0) / (columns - 1), 0, 0, 0, (height - 1.0) / (rows - 1), 0, 0, 0, 1}};
  return map;
}

void cvk_check_cvk_u8_planar_sample(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 200) + 1, height = cvk_size(check, 150) + 1, columns = side(check), rows = side(check);
    cvk_buffer src = cvk_source(check, width, height, 1);
    cvk_planar_map map = any_map(check, width, height, columns, rows);
    cvk_buffer wanted = result(check, columns * rows), inside = result(check, columns * rows);
    cvk_u8_planar_sample__scalar(floats(wanted), floats(inside), src.bytes, src.stride, width, height, columns, rows,
                                 &map);
    for (int i = 0; i < columns * rows; i++) {
      if (!(floats(wanted)[i] >= 0 && floats(wanted)[i] <= 255)) cvk_expect(check, 0, "a sample is out of range");
      if (floats(inside)[i] != 0 && floats(inside)[i] != 1) cvk_expect(check, 0, "inside is neither 0 nor 1");
    }
    CVK_EACH_VARIANT(check, cvk_u8_planar_sample, variant) {
      cvk_buffer got = cvk_result_like(check, wanted), in = cvk_result_like(check, inside);
      variant(floats(got), floats(in), src.bytes, src.stride, width, height, columns, rows, &map);
      cvk_expect_equal(check, wanted, got);
      cvk_expect_equal(check, inside, in);
    }
  }
}

/* Computes a sample of a crop in plain arithmetic. */
static double shown(cvk_buffer src, int width, int height, double x, double y, int channel) {
  x = x > 0 ? fmin(x, width - 1) : 0, y = y > 0 ? fmin(y, height - 1) : 0;
  int column = (int)fmin(x, width - 2), row = (int)fmin(y, height - 2);
  const uint8_t *p = src.bytes + row * src.stride + column * 4 + channel, *q = p + src.stride;
  double up = p[0] + (p[4] - p[0]) * (x - column), down = q[0] + (q[4] - q[0]) * (x - column);
  return up + (down - up) * (y - row);
}

void cvk_check_cvk_u8_planar_picture(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 200) + 1, height = cvk_size(check, 150) + 1, columns = side(check);
    int rows = cvk_size(check, 70) + 2;
    cvk_buffer src = cvk_source(check, width * 4, height, 1);
    cvk_planar_map map = any_map(check, width, height, columns, rows);
    float scale = cvk_float_between(check, -1, 1), bias = cvk_float_between(check, -1, 1);
    cvk_buffer wanted = result(check, 3 * columns * rows);
    cvk_u8_planar_picture__scalar(floats(wanted), src.bytes, src.stride, width, height, columns, rows, &map, scale,
                                  bias);
    for (int i = 0; i < 3 * columns * rows; i++)
      if (!(fabsf(floats(wanted)[i]) <= 256)) cvk_expect(check, 0, "a sample is out of range");
    if (cvk_case(check) % 4 == 0)
      for (int i = 0; i < 3 * columns * rows; i++) {
        double x = i / 3 % columns * (width - 1.0) / (columns - 1), y = i / 3 / columns * (height - 1.0) / (rows - 1);
        double value = shown(src, width, height, x, y, i % 3) * (double)scale + (double)bias;
        if (!(fabs(value - (double)floats(wanted)[i]) < 0.02)) cvk_expect(check, 0, "a sample is wrong");
      }
    CVK_EACH_VARIANT(check, cvk_u8_planar_picture, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), src.bytes, src.stride, width, height, columns, rows, &map, scale, bias);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_planar_cells(cvk_check *check) {
  while (cvk_next_case(check)) {
    int columns = side(check), rows = side(check), count = columns * rows;
    cvk_buffer image = source(check, count, 0, 255), model = source(check, count, 0, 255),
        in = source(check, count, 0, 1);
    cvk_buffer wanted = result(check, count / CVK_PLANAR_CELL / CVK_PLANAR_CELL * CVK_PLANAR_CELL_SUMS);
    cvk_f32_planar_cells__scalar(floats(wanted), floats(image), floats(model), floats(in), columns, rows);
    CVK_EACH_VARIANT(check, cvk_f32_planar_cells, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), floats(image), floats(model), floats(in), columns, rows);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_planar_relight(cvk_check *check) {
  while (cvk_next_case(check)) {
    int columns = side(check), rows = side(check), count = columns * rows;
    int cells = count / CVK_PLANAR_CELL / CVK_PLANAR_CELL;
    cvk_buffer image = source(check, count, 0, 255), gain = source(check, cells, 0.2f, 5),
        bias = source(check, cells, -9, 9);
    cvk_buffer wanted = result(check, count);
    cvk_f32_planar_relight__scalar(floats(wanted), floats(image), columns, rows, floats(gain), floats(bias));
    for (int i = 0; i < count; i++)
      if (!(floats(wanted)[i] >= -9.01f && floats(wanted)[i] <= 255 * 5 + 9.1f))
        cvk_expect(check, 0, "a sample is out of range");
    CVK_EACH_VARIANT(check, cvk_f32_planar_relight, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), floats(image), columns, rows, floats(gain), floats(bias));
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_planar_residual(cvk_check *check) {
  while (cvk_next_case(check)) {
    int columns = side(check), rows = side(check), count = columns * rows;
    int cells = count / CVK_PLANAR_CELL / CVK_PLANAR_CELL;
    cvk_buffer image = source(check, count, 0, 255), model = source(check, count, 0, 255),
        in = source(check, count, 0, 1);
    cvk_buffer own = source(check, cells, 0, 1);
    float cutoff = cvk_float_between(check, 1, 200);
    cvk_buffer mean = result(check, count), residual = result(check, count), weight = result(check, count);
    cvk_f32_planar_residual__scalar(floats(mean), floats(residual), floats(weight), floats(image), floats(model),
                                    floats(in), columns, rows, floats(own), cutoff);
    for (int i = 0; i < count; i++) {
      int x = i % columns, y = i / columns;
      if (!(floats(weight)[i] >= 0 && floats(weight)[i] <= 1)) cvk_expect(check, 0, "a weight is not from 0 to 1");
      if ((x == 0 || y == 0 || x == columns - 1 || y == rows - 1) && floats(weight)[i] != 0)
        cvk_expect(check, 0, "the rim has weight");
    }
    CVK_EACH_VARIANT(check, cvk_f32_planar_residual, variant) {
      cvk_buffer m = cvk_result_like(check, mean), e = cvk_result_like(check, residual);
      cvk_buffer w = cvk_result_like(check, weight);
      variant(floats(m), floats(e), floats(w), floats(image), floats(model), floats(in), columns, rows, floats(own),
              cutoff);
      cvk_expect_equal(check, mean, m);
      cvk_expect_equal(check, residual, e);
      cvk_expect_equal(check, weight, w);
    }
  }
}

/* Computes one moment in plain arithmetic. */
static double moment(const float *mean, const float *e, const float *w, int columns, int rows, int what, int i, int j) {
  double sum = 0;
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < columns - 1; x++) {
      const float *p = mean + y * columns + x;
      double a = ((double)p[1] - p[-1]) * columns / 4, b = ((double)p[columns] - p[-columns]) * rows / 4;
      double q[5] = {a * a, a * b, b * b, e[y * columns + x] * a, e[y * columns + x] * b};
      double u = (2.0 * x + 1) / columns - 1, v = (2.0 * y + 1) / rows - 1;
      sum += w[y * columns + x] * q[what] * pow(u, i) * pow(v, j);
    }
  return sum;
}

void cvk_check_cvk_f32_planar_moments(cvk_check *check) {
  while (cvk_next_case(check)) {
    int columns = side(check), rows = side(check), count = columns * rows;
    cvk_buffer mean = source(check, count, 0, 255), e = source(check, count, -50, 50), w = source(check, count, 0, 1);
    for (int i = 0; i < count; i++) {
      int x = i % columns, y = i / columns;
      if (x == 0 || y == 0 || x == columns - 1 || y == rows - 1) floats(w)[i] = 0;
    }
    cvk_buffer wanted = cvk_result(check, CVK_PLANAR_MOMENTS * 8, 1, 8);
    double *sums = (double *)(void *)wanted.bytes;
    cvk_f32_planar_moments__scalar(sums, floats(mean), floats(e), floats(w), columns, rows);
    if (cvk_case(check) < 40) {
      int index = 0;
      for (int what = 0; what < 5; what++) {
        int degree = what < 3 ? 4 : 2;
        for (int j = 0; j <= degree; j++)
          for (int i = 0; i <= degree - j; i++, index++) {
            double true_sum = moment(floats(mean), floats(e), floats(w), columns, rows, what, i, j);
            double scale = 255.0 * 255 * columns * columns * count / 100;
            if (!(fabs(sums[index] - true_sum) <= 1e-5 * scale)) cvk_expect(check, 0, "a moment is wrong");
          }
      }
    }
    CVK_EACH_VARIANT(check, cvk_f32_planar_moments, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant((double *)(void *)got.bytes, floats(mean), floats(e), floats(w), columns, rows);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_corner_score(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 300), height = cvk_size(check, 40);
    cvk_buffer src = cvk_source(check, width, height, 1), wanted = cvk_result(check, width, height, 1);
    cvk_u8_corner_score__scalar(wanted.bytes, wanted.stride, src.bytes, src.stride, width, height);
    CVK_EACH_VARIANT(check, cvk_u8_corner_score, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, got.stride, src.bytes, src.stride, width, height);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_local_maxima(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 300), height = cvk_size(check, 40),
        most = cvk_between(check, 0, 1) ? 12000 : cvk_size(check, 50);
    int least = cvk_between(check, 1, 255);
    cvk_buffer src = cvk_source(check, width, height, 1), wanted = cvk_result(check, (most + 1) * 4, 1, 4);
    int32_t *indices = (int32_t *)(void *)wanted.bytes;
    for (int i = 0; i <= most; i++) indices[i] = -1; /* the memory after the last index must not change */
    cvk_u8_local_maxima__scalar(indices, most, src.bytes, src.stride, width, height, least);
    if (indices[0] < 0 || indices[0] > most) cvk_expect(check, 0, "the count is out of range");
    for (int i = 1; i <= indices[0] && i <= most; i++)
      if (src.bytes[indices[i] / width * src.stride + indices[i] % width] < least)
        cvk_expect(check, 0, "a maximum is too low");
    CVK_EACH_VARIANT(check, cvk_u8_local_maxima, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      for (int i = 0; i <= most; i++) ((int32_t *)(void *)got.bytes)[i] = -1;
      variant((int32_t *)(void *)got.bytes, most, src.bytes, src.stride, width, height, least);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_colour_lookup(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 100), height = cvk_size(check, 20), channels = cvk_between(check, 1, 4);
    int32_t order[3];
    for (int i = 0; i < 3; i++) order[i] = cvk_between(check, 0, channels - 1);
    cvk_buffer src = cvk_source(check, width * channels, height, 1), table = cvk_source(check, 1 << 15, 1, 1);
    cvk_buffer wanted = cvk_result(check, width, height, 1);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const uint8_t *p = src.bytes + y * src.stride + x * channels;
        wanted.bytes[y * wanted.stride + x] =
            table.bytes[p[order[0]] / 8 * 1024 + p[order[1]] / 8 * 32 + p[order[2]] / 8];
      }
    CVK_EACH_VARIANT(check, cvk_u8_colour_lookup, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, got.stride, src.bytes, src.stride, width, height, channels, order, table.bytes);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
