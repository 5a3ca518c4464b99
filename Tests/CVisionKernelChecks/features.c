/* Checks of the kernels that find, describe and match features. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static float *floats_of(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }
static int32_t *numbers_of(cvk_buffer buffer) { return (int32_t *)(void *)buffer.bytes; }
static int padded(int width) { return (width + 15) / 16 * 16; }

void cvk_check_cvk_f32_blur(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 90), height = cvk_size(check, 20), radius = cvk_between(check, 0, CVK_BLUR_MOST);
    cvk_buffer src = cvk_float_source(check, padded(width), height, 0, 255);
    cvk_buffer weights = cvk_float_source(check, radius + 1, 1, 0, 1);
    cvk_buffer work = cvk_result(check, (int)cvk_blur_work(width) * 4, 1, 4);
    cvk_buffer wanted = cvk_result(check, padded(width) * 4, height, 4);
    cvk_f32_blur__scalar(floats_of(wanted), wanted.stride, floats_of(src), src.stride, width, height,
                         floats_of(weights), radius, floats_of(work));
    CVK_EACH_VARIANT(check, cvk_f32_blur, variant) {
      cvk_buffer got = cvk_result_like(check, wanted), its = cvk_result_like(check, work);
      variant(floats_of(got), got.stride, floats_of(src), src.stride, width, height, floats_of(weights), radius,
              floats_of(its));
      for (int y = 0; y < height; y++) /* the padding of a row is undefined */
        memcpy(got.bytes + y * got.stride + width * 4, wanted.bytes + y * wanted.stride + width * 4,
               (size_t)(padded(width) - width) * 4);
      cvk_expect_equal(check, wanted, got);
    }
    /* One pixel by the definition. */
    const int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1);
    double sum = 0;
    for (int j = -radius; j <= radius; j++)
      for (int i = -radius; i <= radius; i++) {
        int column = x + i < 0 ? 0 : x + i >= width ? width - 1 : x + i,
            line = y + j < 0 ? 0 : y + j >= height ? height - 1 : y + j;
        sum +=
            (double)((float *)(void *)(src.bytes + line * src.stride))[column] * floats_of(weights)[abs(i)] *
            floats_of(weights)[abs(j)];
      }
    double found = ((float *)(void *)(wanted.bytes + y * wanted.stride))[x];
    cvk_expect(check, fabs(found - sum) <= 1e-5 * fabs(sum) + 1e-5, "not the blur of the pixel");
  }
}

void cvk_check_cvk_f32_every_second(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 70), height = cvk_size(check, 9);
    cvk_buffer src = cvk_float_source(check, 2 * width - cvk_between(check, 0, 1), 2 * height - 1, -9, 9);
    cvk_buffer wanted = cvk_result(check, width * 4, height, 4);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        ((float *)(void *)(wanted.bytes + y * wanted.stride))[x] =
            ((float *)(void *)(src.bytes + 2 * y * src.stride))[2 * x];
    CVK_EACH_VARIANT(check, cvk_f32_every_second, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), got.stride, floats_of(src), src.stride, width, height);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_scale_extrema(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 80), height = cvk_size(check, 20), border = cvk_between(check, 1, 4);
    const int most = cvk_between(check, 0, 3) ? width * height : cvk_between(check, 0, 3);
    const float least = cvk_float_between(check, 0, 3);
    cvk_buffer src = cvk_float_source(check, padded(width), 4 * height, -5, 5);
    cvk_buffer work = cvk_result(check, (int)cvk_extrema_work(width) * 4, 1, 4);
    cvk_buffer wanted = cvk_result(check, (most + 1) * 4, 1, 4), start = cvk_result_like(check, wanted);
    const ptrdiff_t plane = height * src.stride;
    int count = 0;
    for (int y = border; y < height - border; y++)
      for (int x = border; x < width - border; x++) {
        float values[3][3][3];
        for (int p = 0; p < 3; p++)
          for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
              const uint8_t *at = src.bytes + p * plane + (y + j - 1) * src.stride + (x + i - 1) * 4;
              values[p][j][i] = *(const float *)(const void *)(at + plane) - *(const float *)(const void *)at;
            }
        const float v = values[1][1][1];
        int above = v > least, below = v < -least;
        for (int k = 0; k < 27; k++)
          if (k != 13) above &= v > (&values[0][0][0])[k], below &= v < (&values[0][0][0])[k];
        if ((above || below) && count < most) numbers_of(wanted)[1 + count++] = y * width + x;
      }
    numbers_of(wanted)[0] = count;
    CVK_EACH_VARIANT(check, cvk_f32_scale_extrema, variant) {
      cvk_buffer got = cvk_result_like(check, start), its = cvk_result_like(check, work);
      variant(numbers_of(got), most, floats_of(src), src.stride, plane, width, height, border, least, floats_of(its));
      /* Nothing is written after the last index. */
      for (int i = count; i < most; i++) numbers_of(got)[1 + i] = numbers_of(wanted)[1 + i];
      cvk_expect_equal(check, wanted, got);
    }
  }
}

static void random_features(cvk_check *check, cvk_feature *features, int count, int width, int height) {
  for (int i = 0; i < count; i++)
    features[i] = (cvk_feature){cvk_float_between(check, 0, (float)(width - 1)),
                                cvk_float_between(check, 0, (float)(height - 1)), cvk_float_between(check, -4, 4),
                                cvk_float_between(check, -4, 4)};
}

void cvk_check_cvk_f32_feature_directions(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = 1 + cvk_size(check, 60), height = 1 + cvk_size(check, 60), count = cvk_size(check, 4);
    cvk_feature features[4];
    random_features(check, features, count, width, height);
    cvk_buffer src = cvk_float_source(check, width, height, 0, 255);
    cvk_buffer wanted = cvk_result(check, count * CVK_FEATURE_DIRECTIONS * 4, 1, 4);
    cvk_f32_feature_directions__scalar(floats_of(wanted), floats_of(src), src.stride, width, height, features, count);
    CVK_EACH_VARIANT(check, cvk_f32_feature_directions, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), floats_of(src), src.stride, width, height, features, count);
      cvk_expect_equal(check, wanted, got);
    }
    /* A linear slope has one direction, which follows from the axis. */
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) ((float *)(void *)(src.bytes + y * src.stride))[x] = (float)x;
    cvk_feature one = {(float)(width - 1) / 2, (float)(height - 1) / 2, 0, 1};
    if (width < 16) continue;
    CVK_EACH_VARIANT(check, cvk_f32_feature_directions, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), floats_of(src), src.stride, width, height, &one, 1);
      int best = 0;
      for (int i = 1; i < CVK_FEATURE_DIRECTIONS; i++)
        if (floats_of(got)[i] > floats_of(got)[best]) best = i;
      cvk_expect(check, best == CVK_FEATURE_DIRECTIONS * 3 / 4 || best == CVK_FEATURE_DIRECTIONS * 3 / 4 - 1,
                 "the slope's direction is not perpendicular to the axis");
    }
  }
}

void cvk_check_cvk_u8_feature_describe(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = 1 + cvk_size(check, 60), height = 1 + cvk_size(check, 60), count = cvk_size(check, 4);
    cvk_feature features[4];
    random_features(check, features, count, width, height);
    cvk_buffer src = cvk_float_source(check, width, height, 0, 255);
    cvk_buffer wanted = cvk_result(check, count * CVK_FEATURE_BYTES, 1, 1);
    cvk_u8_feature_describe__scalar(wanted.bytes, floats_of(src), src.stride, width, height, features, count);
    CVK_EACH_VARIANT(check, cvk_u8_feature_describe, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, floats_of(src), src.stride, width, height, features, count);
      cvk_expect_equal(check, wanted, got);
      for (int f = 0; f < count; f++) {
        int squares = 0, largest = 0;
        for (int i = 0; i < CVK_FEATURE_BYTES; i++) {
          const int v = got.bytes[f * CVK_FEATURE_BYTES + i];
          squares += v * v, largest = v > largest ? v : largest;
        }
        cvk_expect(check, largest <= 127, "more than 127");
        cvk_expect(check, squares == 0 || largest == 127 || (squares > 60000 && squares < 100000),
                   "the norm is out of range");
      }
    }
  }
}

void cvk_check_cvk_u8_feature_products(cvk_check *check) {
  while (cvk_next_case(check)) {
    enum { BYTES = CVK_FEATURE_BYTES, GROUP = CVK_FEATURE_GROUP };
    const int count = cvk_size(check, 9), groups = cvk_size(check, 3);
    cvk_buffer queries = cvk_source(check, count * BYTES, 1, 1),
        packed = cvk_source(check, groups * GROUP * BYTES, 1, 1);
    for (int i = 0; i < count * BYTES; i++) queries.bytes[i] &= 127;
    for (int i = 0; i < groups * GROUP * BYTES; i++) packed.bytes[i] &= 127;
    cvk_buffer wanted = cvk_result(check, groups * GROUP * 4, count, 4);
    for (int q = 0; q < count; q++)
      for (int i = 0; i < groups * GROUP; i++) {
        int32_t sum = 0;
        for (int b = 0; b < BYTES; b++)
          sum +=
              queries.bytes[q * BYTES + b] *
              packed.bytes[i / GROUP * GROUP * BYTES + b / 4 * GROUP * 4 + i % GROUP * 4 + b % 4];
        ((int32_t *)(void *)(wanted.bytes + q * wanted.stride))[i] = sum;
      }
    CVK_EACH_VARIANT(check, cvk_u8_feature_products, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(numbers_of(got), got.stride, queries.bytes, count, packed.bytes, groups);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_s32_feature_best(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int count = 16 * cvk_size(check, 8), own = cvk_between(check, 0, 99);
    cvk_buffer products = cvk_source(check, count * 4, 1, 4), x = cvk_float_source(check, count, 1, 0, 20),
               y = cvk_float_source(check, count, 1, 0, 20), column = cvk_result(check, count * 4, 1, 4),
               owners = cvk_result(check, count * 4, 1, 4), wanted = cvk_result(check, 12, 1, 4);
    for (int i = 0; i < count; i++) {
      numbers_of(products)[i] = cvk_between(check, -3, 9);
      numbers_of(column)[i] = cvk_between(check, 0, 9), numbers_of(owners)[i] = -1;
    }
    const float at_x = cvk_float_between(check, 0, 20), at_y = cvk_float_between(check, 0, 20),
        apart = cvk_float_between(check, 0, 9);
    const float gate = cvk_between(check, 0, 1) ? 1e9f : cvk_float_between(check, 0, 15);
    cvk_buffer new_column = cvk_result_like(check, column), new_owners = cvk_result_like(check, owners);
    int32_t best = 0, at = -1, second = 0;
    for (int i = 0; i < count; i++) {
      const float dx = floats_of(x)[i] - at_x, dy = floats_of(y)[i] - at_y;
      const int32_t v = dx * dx + dy * dy <= gate * gate ? numbers_of(products)[i] : 0;
      if (v > best) best = v, at = i;
      if (v > numbers_of(new_column)[i]) numbers_of(new_column)[i] = v, numbers_of(new_owners)[i] = own;
    }
    for (int i = 0; i < count && at >= 0; i++) {
      const float dx = floats_of(x)[i] - at_x, dy = floats_of(y)[i] - at_y;
      const float best_x = floats_of(x)[at], best_y = floats_of(y)[at];
      const float from_x = floats_of(x)[i] - best_x, from_y = floats_of(y)[i] - best_y;
      if (dx * dx + dy * dy <= gate * gate && from_x * from_x + from_y * from_y > apart * apart &&
          numbers_of(products)[i] > second)
        second = numbers_of(products)[i];
    }
    numbers_of(wanted)[0] = at, numbers_of(wanted)[1] = best, numbers_of(wanted)[2] = second;
    CVK_EACH_VARIANT(check, cvk_s32_feature_best, variant) {
      cvk_buffer got = cvk_result_like(check, wanted), its = cvk_result_like(check, column),
          whose = cvk_result_like(check, owners);
      variant(numbers_of(got), numbers_of(products), count, floats_of(x), floats_of(y), at_x, at_y, gate, apart,
              numbers_of(its), numbers_of(whose), own);
      cvk_expect_equal(check, wanted, got);
      cvk_expect_equal(check, new_column, its);
      cvk_expect_equal(check, new_owners, whose);
    }
  }
}

void cvk_check_cvk_f32_homography_scores(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int count = 16 * cvk_size(check, 6), maps = cvk_size(check, 5);
    cvk_buffer points = cvk_float_source(check, count, 5, -1, 1), models = cvk_float_source(check, maps * 9, 1, -1, 1);
    for (int m = 0; m < maps; m++)
      for (int i = 0; i < 9; i += 4) floats_of(models)[m * 9 + i] += 1;
    cvk_buffer wanted = cvk_result(check, maps * 4, 1, 4);
    const float *row[5];
    for (int i = 0; i < 5; i++) row[i] = (const float *)(const void *)(points.bytes + i * points.stride);
    const float limit = cvk_float_between(check, 0.01f, 2);
    cvk_f32_homography_scores__scalar(floats_of(wanted), floats_of(models), maps, row[0], row[1], row[2], row[3],
                                      row[4], count, limit);
    CVK_EACH_VARIANT(check, cvk_f32_homography_scores, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats_of(got), floats_of(models), maps, row[0], row[1], row[2], row[3], row[4], count, limit);
      cvk_expect_equal(check, wanted, got);
    }
    for (int m = 0; m < maps; m++) {
      const float *h = floats_of(models) + 9 * m;
      double sum = 0, size = 0;
      for (int i = 0; i < count; i++) {
        const double depth = (double)h[6] * row[0][i] + (double)h[7] * row[1][i] + h[8];
        if (depth <= 0) continue;
        const double dx = ((double)h[0] * row[0][i] + (double)h[1] * row[1][i] + h[2]) / depth - row[2][i];
        const double dy = ((double)h[3] * row[0][i] + (double)h[4] * row[1][i] + h[5]) / depth - row[3][i];
        const double good = 1 - (dx * dx + dy * dy) / ((double)limit * limit);
        /* Points near the horizon, or near the limit, may count or not. */
        if (good > 0) sum += good * row[4][i];
        size += depth < 1e-2 || limit < 0.05 ? 2 : 1e-3;
      }
      cvk_expect(check, fabs(floats_of(wanted)[m] - sum) <= size, "far from the sum in double precision");
    }
  }
}
