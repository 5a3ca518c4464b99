/* Checks of the kernels that follow borders: all variants give the same bits as scalar. */
#include <string.h>

#include "check.h"

/* An image of random pixels, or of rectangles in rectangles. */
static cvk_buffer random_image(cvk_check *check, int width, int height) {
  cvk_buffer src = cvk_source(check, width, height, 1);
  int share = cvk_between(check, 0, 100), is_drawn = cvk_between(check, 0, 1);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      src.bytes[y * src.stride + x] = is_drawn ? 0 : cvk_between(check, 0, 99) < share ? 255 : 0;
  for (int i = 0; is_drawn && i < 12; i++) {
    int left = cvk_between(check, 0, width - 1), right = cvk_between(check, left, width - 1);
    int top = cvk_between(check, 0, height - 1), bottom = cvk_between(check, top, height - 1);
    for (int y = top; y <= bottom; y++)
      memset(src.bytes + y * src.stride + left, i % 2 ? 0 : 255, (size_t)(right - left + 1));
  }
  return src;
}

void cvk_check_cvk_u8_contour_image(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 150), height = cvk_size(check, 12);
    cvk_buffer src = cvk_source(check, width, height, 1);
    uint8_t lookup[256];
    int level = cvk_between(check, 0, 256), is_random = cvk_between(check, 0, 3) == 0, flip = cvk_between(check, 0, 1);
    for (int i = 0; i < 256; i++) lookup[i] = (uint8_t)(is_random ? cvk_between(check, 0, 1) : (i < level) ^ flip);
    int stride = (int)cvk_contour_stride(width);
    cvk_buffer wanted = cvk_result(check, stride * cvk_contour_rows(height), 1, 1);
    cvk_contour_totals totals, own;
    cvk_u8_contour_image__scalar(wanted.bytes, &totals, src.bytes, src.stride, width, height, lookup);
    uint64_t pairs = 0;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const uint8_t *p = wanted.bytes + (y + 1) * stride + x + 1;
        cvk_expect(check, *p == lookup[src.bytes[y * src.stride + x]], "a pixel differs from the table");
        pairs += (p[0] != p[-1]) + (p[0] != p[-stride]) + (x == width - 1 && p[0]) + (y == height - 1 && p[0]);
      }
    cvk_expect(check, totals.points == pairs, "the number of pairs differs");
    CVK_EACH_VARIANT(check, cvk_u8_contour_image, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      memset(got.bytes, 7, (size_t)got.row_bytes);
      variant(got.bytes, &own, src.bytes, src.stride, width, height, lookup);
      cvk_expect_equal(check, wanted, got);
      cvk_expect(check, own.points == totals.points && own.contours == totals.contours, "the totals differ");
    }
  }
}

typedef struct found {
  cvk_buffer image, labels, contours, points;
  cvk_contour_totals limits, totals;
} found;

static found find(cvk_check *check, int width, int height, cvk_buffer *src) {
  static uint8_t lookup[256];
  memset(lookup + 128, 1, 128);
  found f;
  *src = random_image(check, width, height);
  int elements = (int)cvk_contour_stride(width) * cvk_contour_rows(height);
  f.image = cvk_result(check, elements, 1, 1);
  cvk_u8_contour_image__scalar(f.image.bytes, &f.limits, src->bytes, src->stride, width, height, lookup);
  f.labels = cvk_result(check, 4 * elements, 1, 4);
  memset(f.labels.bytes, 0, (size_t)(4 * elements));
  f.contours = cvk_result(check, (int)sizeof(cvk_contour) * ((int)f.limits.contours + 1), 1, 4);
  f.points = cvk_result(check, 4 * ((int)f.limits.points + 1), 1, 4);
  cvk_u8_contours__scalar((cvk_contour *)(void *)f.contours.bytes, f.limits.contours,
                          (uint32_t *)(void *)f.points.bytes, f.limits.points, &f.totals, f.image.bytes,
                          (int32_t *)(void *)f.labels.bytes, width, height);
  return f;
}

void cvk_check_cvk_u8_contours(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 60), height = cvk_size(check, 40);
    cvk_buffer src;
    found f = find(check, width, height, &src);
    const cvk_contour *contours = (const cvk_contour *)(const void *)f.contours.bytes;
    const uint32_t *points = (const uint32_t *)(const void *)f.points.bytes;
    cvk_expect(check, f.totals.contours <= f.limits.contours && f.totals.points <= f.limits.points,
               "there are more borders than the bounds");
    uint32_t next = 0;
    for (uint64_t i = 0; i < f.totals.contours; i++) {
      cvk_contour contour = contours[i];
      cvk_expect(check, contour.first == next && contour.count > 0, "the points do not follow one another");
      next += contour.count;
      cvk_expect(check, contour.parent < (int)i, "a parent comes after its child");
      cvk_expect(check, contour.is_hole == (contour.parent >= 0 && !contours[contour.parent].is_hole),
                 "regions and holes do not alternate");
      for (uint32_t k = 0; k < contour.count; k++) {
        uint32_t a = points[contour.first + k], b = points[contour.first + (k + 1) % contour.count];
        int dx = (int)(a & 65535) - (int)(b & 65535), dy = (int)(a >> 16) - (int)(b >> 16);
        cvk_expect(check, dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1, "successive points are no neighbours");
        cvk_expect(check, src.bytes[(ptrdiff_t)(a >> 16) * src.stride + (a & 65535)] > 127,
                   "a point is no pixel of a region");
      }
    }
    cvk_expect(check, next == f.totals.points, "the number of points differs");
    CVK_EACH_VARIANT(check, cvk_u8_contours, variant) {
      /* With less memory than needed the numbers are still right. */
      uint64_t most = (uint64_t)cvk_between(check, 0, (int)f.totals.contours);
      uint64_t most_points = (uint64_t)cvk_between(check, 0, (int)f.totals.points);
      cvk_buffer labels = cvk_result(check, f.labels.row_bytes, 1, 4);
      memset(labels.bytes, 0, (size_t)labels.row_bytes);
      cvk_buffer some = cvk_result(check, (int)sizeof(cvk_contour) * (int)(most + 1), 1, 4);
      cvk_buffer few = cvk_result(check, 4 * (int)(most_points + 1), 1, 4);
      cvk_contour_totals totals;
      variant((cvk_contour *)(void *)some.bytes, most, (uint32_t *)(void *)few.bytes, most_points, &totals,
              f.image.bytes, (int32_t *)(void *)labels.bytes, width, height);
      cvk_expect(check, totals.contours == f.totals.contours && totals.points == f.totals.points, "the totals differ");
      cvk_expect(check, memcmp(few.bytes, f.points.bytes, 4 * (size_t)most_points) == 0, "the points differ");
    }
  }
}

void cvk_check_cvk_u8_contour_depths(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 60), height = cvk_size(check, 40);
    cvk_buffer src;
    found f = find(check, width, height, &src);
    int count = (int)f.totals.contours;
    cvk_buffer values = cvk_source(check, width, height, 1);
    cvk_buffer wanted = cvk_result(check, 2 * count + 2, 1, 1);
    const cvk_contour *contours = (const cvk_contour *)(const void *)f.contours.bytes;
    cvk_u8_contour_depths__scalar(wanted.bytes, contours, count, f.image.bytes,
                                  (const int32_t *)(const void *)f.labels.bytes, values.bytes, values.stride, width,
                                  height);
    int least = 255, most = 0;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int value = values.bytes[y * values.stride + x];
        least = value < least ? value : least, most = value > most ? value : most;
      }
    int low = 255, high = 0;
    for (int i = 0; i <= count; i++) {
      low = wanted.bytes[2 * i] < low ? wanted.bytes[2 * i] : low;
      high = wanted.bytes[2 * i + 1] > high ? wanted.bytes[2 * i + 1] : high;
    }
    cvk_expect(check, low == least && high == most, "the regions do not have all values");
    CVK_EACH_VARIANT(check, cvk_u8_contour_depths, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, contours, count, f.image.bytes, (const int32_t *)(const void *)f.labels.bytes, values.bytes,
              values.stride, width, height);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
