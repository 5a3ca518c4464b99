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

/* Numbers the regions (8-connected) and what is between them (4-connected) by filling: 0 for what reaches the frame
 * around the image. The numbers are those of a frame of a pixel around it too. Returns their count. */
static int fill(int *numbers, const uint8_t *image, int width, int height, int *stack) {
  int columns = width + 2, count = 0;
  ptrdiff_t stride = cvk_contour_stride(width);
  for (int i = 0; i < columns * (height + 2); i++) numbers[i] = -1;
  for (int start = 0; start < columns * (height + 2); start++) {
    if (numbers[start] >= 0) continue;
    int value = image[(start / columns) * stride + start % columns], depth = 0;
    numbers[start] = count, stack[depth++] = start;
    while (depth > 0) {
      int at = stack[--depth], x = at % columns, y = at / columns;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int u = x + dx, v = y + dy;
          if (u < 0 || v < 0 || u >= columns || v >= height + 2 || (!value && dx && dy)) continue;
          if (numbers[v * columns + u] >= 0 || image[v * stride + u] != value) continue;
          numbers[v * columns + u] = count, stack[depth++] = v * columns + u;
        }
    }
    count++;
  }
  return count;
}

/* The regions and holes of an image, found by filling, and the border of each. */
typedef struct filled {
  int *numbers, *borders;
  int count, columns;
} filled;

/* The number of the region or hole that a border goes around. */
static int inside(filled f, const cvk_contour *contour, const uint32_t *points) {
  int x = (int)(points[contour->first] & 65535) + 1, y = (int)(points[contour->first] >> 16) + 1;
  return f.numbers[y * f.columns + x + (contour->is_hole ? 1 : 0)];
}

static filled filled_image(cvk_check *check, found found, int width, int height) {
  int elements = (width + 2) * (height + 2);
  filled f = {.columns = width + 2};
  f.numbers = (int *)(void *)cvk_result(check, elements * (int)sizeof(int), 1, 4).bytes;
  int *stack = (int *)(void *)cvk_result(check, elements * (int)sizeof(int), 1, 4).bytes;
  f.count = fill(f.numbers, found.image.bytes, width, height, stack);
  f.borders = (int *)(void *)cvk_result(check, f.count * (int)sizeof(int), 1, 4).bytes;
  for (int i = 0; i < f.count; i++) f.borders[i] = -1;
  const cvk_contour *contours = (const cvk_contour *)(const void *)found.contours.bytes;
  const uint32_t *points = (const uint32_t *)(const void *)found.points.bytes;
  for (int i = 0; i < (int)found.totals.contours; i++) {
    int number = inside(f, contours + i, points);
    cvk_expect(check, number > 0 && f.borders[number] < 0, "a region has two borders, or one of none");
    f.borders[number] = i;
  }
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
    /* What is found by filling has these borders and no others, and the parent of each is what lies around it. */
    filled regions = filled_image(check, f, width, height);
    cvk_expect(check, (int)f.totals.contours == regions.count - 1, "the number of borders differs");
    for (uint64_t i = 0; i < f.totals.contours; i++) {
      int x = (int)(points[contours[i].first] & 65535) + 1, y = (int)(points[contours[i].first] >> 16) + 1;
      int around = regions.numbers[y * regions.columns + x - (contours[i].is_hole ? 0 : 1)];
      cvk_expect(check, contours[i].parent == regions.borders[around], "the parent of a border differs");
    }
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
    filled regions = filled_image(check, f, width, height);
    for (int i = 0; i < regions.count; i++) {
      int low = 255, high = 0, border = regions.borders[i] < 0 ? count : regions.borders[i];
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
          if (regions.numbers[(y + 1) * regions.columns + x + 1] != i) continue;
          int value = values.bytes[y * values.stride + x];
          low = value < low ? value : low, high = value > high ? value : high;
        }
      cvk_expect(check, wanted.bytes[2 * border] == low && wanted.bytes[2 * border + 1] == high,
                 "the values of a region differ");
    }
    CVK_EACH_VARIANT(check, cvk_u8_contour_depths, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, contours, count, f.image.bytes, (const int32_t *)(const void *)f.labels.bytes, values.bytes,
              values.stride, width, height);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
