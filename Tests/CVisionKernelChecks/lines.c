/* Checks of the kernels that find edges for straight lines: all variants give the same bits as scalar. */
#include <string.h>

#include "check.h"

static int16_t *words(cvk_buffer buffer) { return (int16_t *)(void *)buffer.bytes; }
static int32_t *numbers(cvk_buffer buffer) { return (int32_t *)(void *)buffer.bytes; }

/* The same with the same rows. */
static cvk_buffer copy(cvk_check *check, cvk_buffer other) {
  cvk_buffer buffer = cvk_result_like(check, other);
  for (int y = 0; y < other.rows; y++)
    memcpy(buffer.bytes + y * buffer.stride, other.bytes + y * other.stride, (size_t)other.row_bytes);
  return buffer;
}

void cvk_check_cvk_u8_line_gradient(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 150), height = cvk_size(check, 12), keep = cvk_between(check, 0, 1);
    cvk_buffer src = cvk_source(check, width, height, 1);
    cvk_buffer gx = cvk_result(check, 2 * width, height, 2), gy = cvk_result_like(check, gx);
    cvk_buffer work = cvk_result(check, 2 * (int)cvk_line_gradient_work(width), 1, 2);
    /* The gradient of an earlier channel. */
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        ((int16_t *)(void *)(gx.bytes + y * gx.stride))[x] = (int16_t)cvk_between(check, -12240, 12240);
        ((int16_t *)(void *)(gy.bytes + y * gy.stride))[x] = (int16_t)cvk_between(check, -12240, 12240);
      }
    cvk_buffer wanted_x = copy(check, gx), wanted_y = copy(check, gy);
    cvk_u8_line_gradient__scalar(words(wanted_x), words(wanted_y), gx.stride, src.bytes, src.stride, width, height,
                                 keep, words(work));
    /* By the definition, at one pixel. */
    int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1), p = 0, q = 0;
    static const int smooth[5] = {1, 4, 6, 4, 1}, change[5] = {-1, -2, 0, 2, 1};
    for (int j = -2; j <= 2; j++)
      for (int i = -2; i <= 2; i++) {
        int column = x + i < 0 ? 0 : x + i >= width ? width - 1 : x + i,
            row = y + j < 0 ? 0 : y + j >= height ? height - 1 : y + j;
        int value = src.bytes[row * src.stride + column];
        p += value * change[i + 2] * smooth[j + 2], q += value * smooth[i + 2] * change[j + 2];
      }
    int p0 = ((int16_t *)(void *)(gx.bytes + y * gx.stride))[x],
        q0 = ((int16_t *)(void *)(gy.bytes + y * gy.stride))[x];
    if (keep && p * p + q * q <= p0 * p0 + q0 * q0) p = p0, q = q0;
    cvk_expect(check, ((int16_t *)(void *)(wanted_x.bytes + y * gx.stride))[x] == p,
               "the gradient along x is not the filter's");
    cvk_expect(check, ((int16_t *)(void *)(wanted_y.bytes + y * gy.stride))[x] == q,
               "the gradient along y is not the filter's");
    CVK_EACH_VARIANT(check, cvk_u8_line_gradient, variant) {
      cvk_buffer got_x = copy(check, gx), got_y = copy(check, gy), own = cvk_result_like(check, work);
      variant(words(got_x), words(got_y), gx.stride, src.bytes, src.stride, width, height, keep, words(own));
      cvk_expect_equal(check, wanted_x, got_x);
      cvk_expect_equal(check, wanted_y, got_y);
    }
  }
}

void cvk_check_cvk_s16_line_peaks(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 150), height = cvk_size(check, 12), axis = cvk_between(check, 0, 1);
    int most = cvk_case(check) % 2 ? 12240 : 300, least = cvk_between(check, 1, most);
    cvk_buffer gx = cvk_result(check, 2 * width, height, 2), gy = cvk_result_like(check, gx);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        ((int16_t *)(void *)(gx.bytes + y * gx.stride))[x] = (int16_t)cvk_between(check, -most, most);
        ((int16_t *)(void *)(gy.bytes + y * gy.stride))[x] = (int16_t)cvk_between(check, -most, most);
      }
    cvk_buffer wanted = cvk_result(check, 4 * width, height, 4);
    cvk_s16_line_peaks__scalar(numbers(wanted), wanted.stride, words(gx), words(gy), gx.stride, width, height, least,
                               axis);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int32_t packed = ((int32_t *)(void *)(wanted.bytes + y * wanted.stride))[x];
        if (packed == 0) continue;
        const cvk_buffer own = axis ? gx : gy;
        int offset = (int8_t)packed, slope = (int8_t)(packed >> 8);
        cvk_expect(check, packed >> 16 == ((int16_t *)(void *)(own.bytes + y * own.stride))[x],
                   "the strength is not the gradient");
        cvk_expect(check, offset >= -32 && offset <= 32, "the offset is not within the pixel");
        cvk_expect(check, slope >= -80 && slope <= 80, "the slope is too steep");
      }
    CVK_EACH_VARIANT(check, cvk_s16_line_peaks, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(numbers(got), got.stride, words(gx), words(gy), gx.stride, width, height, least, axis);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_channel(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 200), height = cvk_size(check, 6), channels = cvk_between(check, 1, 5);
    int channel = cvk_between(check, 0, channels - 1);
    cvk_buffer src = cvk_source(check, width * channels, height, 1), wanted = cvk_result(check, width, height, 1);
    cvk_u8_channel__scalar(wanted.bytes, wanted.stride, src.bytes, src.stride, width, height, channels, channel);
    int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1);
    cvk_expect(check, wanted.bytes[y * wanted.stride + x] == src.bytes[y * src.stride + x * channels + channel],
               "the byte differs");
    CVK_EACH_VARIANT(check, cvk_u8_channel, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, got.stride, src.bytes, src.stride, width, height, channels, channel);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

/* Makes a map with random edges, and a line of edges that is returned. */
static cvk_buffer edges(cvk_check *check, int width, int height, float *start, float *slope) {
  cvk_buffer map = cvk_result(check, 4 * width * height, 1, 4);
  memset(map.bytes, 0, (size_t)(4 * width * height));
  int share = cvk_between(check, 0, 60);
  *slope = cvk_float_between(check, -1.2f, 1.2f);
  *start = cvk_float_between(check, 0, (float)height) - *slope * (float)width / 2;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float across = *start + *slope * (float)x - (float)y;
      int is_on = across >= -0.5f && across < 0.5f && cvk_between(check, 0, 9) > 0;
      if (!is_on && cvk_between(check, 0, 99) >= share) continue;
      int strength = cvk_between(check, 1, 12240) * (cvk_between(check, 0, 1) ? 1 : -1);
      int turn = is_on ? (int)(*slope * 64) : cvk_between(check, -80, 80);
      int offset = is_on ? (int)(across * 64) : cvk_between(check, -32, 32);
      numbers(map)[y * width + x] =
          (int32_t)((uint32_t)strength << 16 | ((uint32_t)turn & 255) << 8 | ((uint32_t)offset & 255));
    }
  return map;
}

void cvk_check_cvk_s32_line_segments(cvk_check *check) {
  enum { MOST = 40 };
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 90), height = cvk_size(check, 40), least = cvk_between(check, 4, 30);
    int most = cvk_between(check, 0, MOST), seed = cvk_between(check, 0, 3000);
    float start, slope;
    cvk_buffer map = edges(check, width, height, &start, &slope);
    cvk_buffer wanted = cvk_result(check, (int)sizeof(cvk_line_segment) * (most + 1), 1, 4);
    cvk_buffer taken = cvk_result(check, width * height, 1, 1);
    memset(taken.bytes, 0, (size_t)(width * height));
    cvk_buffer first = cvk_result_like(check, taken);
    cvk_line_segment *segments = (cvk_line_segment *)(void *)wanted.bytes;
    cvk_s32_line_segments__scalar(segments, most, numbers(map), width, height, least, seed, first.bytes);
    cvk_expect(check, segments[0].count >= 0 && segments[0].count <= most, "there are more segments than requested");
    for (int i = 1; i <= segments[0].count; i++) {
      cvk_line_segment segment = segments[i];
      cvk_expect(check, segment.first >= 0 && segment.last < width && segment.last - segment.first + 1 >= least,
                 "a segment is too short");
      cvk_expect(check, 10 * segment.count >= 7 * (segment.last - segment.first + 1), "a segment has too many gaps");
      cvk_expect(check, segment.slope < 1.5f && segment.slope > -1.5f, "a segment is too steep");
    }
    CVK_EACH_VARIANT(check, cvk_s32_line_segments, variant) {
      cvk_buffer got = cvk_result(check, (int)sizeof(cvk_line_segment) * (most + 1), 1, 4);
      cvk_buffer own = cvk_result_like(check, taken);
      variant((cvk_line_segment *)(void *)got.bytes, most, numbers(map), width, height, least, seed, own.bytes);
      cvk_expect(check, memcmp(got.bytes, wanted.bytes, sizeof(cvk_line_segment) * (size_t)(segments[0].count + 1)) ==
                 0, "the segments differ");
    }
  }
}

void cvk_check_cvk_s32_line_support(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 200), height = cvk_size(check, 40);
    float start, slope;
    cvk_buffer map = edges(check, width, height, &start, &slope);
    int first = cvk_between(check, 0, width - 1), last = cvk_between(check, first + 1, width);
    switch (cvk_case(check) % 16) {
      case 0: start = 1e30f; break;
      case 1: start = -1e30f; break;
      case 2: slope = 1e30f; break;
      case 3: start = 0.0f / 0.0f; break;
      case 4: slope = 3; break;
      default: break;
    }
    cvk_buffer wanted = cvk_result(check, 4 * width, 1, 4), before = cvk_result_like(check, wanted);
    double sums[5], own[5];
    int dense = cvk_between(check, 1, 9);
    cvk_s32_line_support__scalar(numbers(wanted), sums, numbers(map), width, height, first, last, start, slope, dense);
    int count = 0;
    for (int t = first; t < last; t++) count += numbers(wanted)[t] != 0;
    cvk_expect(check, sums[0] == count, "the number of edges differs");
    CVK_EACH_VARIANT(check, cvk_s32_line_support, variant) {
      cvk_buffer got = cvk_result_like(check, before);
      variant(numbers(got), own, numbers(map), width, height, first, last, start, slope, dense);
      cvk_expect_equal(check, wanted, got);
      cvk_expect(check, memcmp(sums, own, sizeof sums) == 0, "the sums differ");
    }
  }
}
