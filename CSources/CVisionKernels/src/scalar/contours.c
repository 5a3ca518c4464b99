/* Borders of regions: see contours_template.h. */
#include "../internal.h"

#include <string.h>

#define VARIANT(name) name##__scalar
#include "../contours_template.h"

/* Only here: each step waits for the one before. */

/* Directions are counted counter-clockwise from the right, as seen on a screen. For a direction to come from (that of
 * the last pixel) and the 8 neighbours as bits, the direction to go on: the first neighbour after it. */
static uint32_t neighbours(const uint8_t *p, ptrdiff_t stride) {
  uint32_t up, down;
  memcpy(&up, p - stride - 1, 4);
  memcpy(&down, p + stride - 1, 4);
  /* The products gather three bits, the upper ones in reverse. */
  up = ((up & 0x010101u) * 0x00040201u >> 16) & 7;
  down = ((down & 0x010101u) * 0x00010204u >> 16) & 7;
  return p[1] | up << 1 | (uint32_t)p[-1] << 4 | down << 5;
}

/* Follows one border from a pixel and the direction of the background beside it; returns the number of its points. */
static uint64_t follow(uint32_t *points, uint64_t most, const uint8_t *image, int32_t *labels, ptrdiff_t stride,
                       ptrdiff_t start, uint32_t at, int background, int32_t number) {
  static const int32_t moves[8] = {1, 1 - 65536, -65536, -1 - 65536, -1, 65535, 65536, 65537};
  const ptrdiff_t steps[8] = {1, 1 - stride, -stride, -1 - stride, -1, stride - 1, stride, stride + 1};
  const uint32_t around = neighbours(image + start, stride);
  if (around == 0) {
    labels[start] = -number;
    if (most > 0) points[0] = at;
    return 1;
  }
  /* The last pixel of the border: the first neighbour clockwise from the background. */
  const uint32_t reversed = (around | around << 8) << (8 - background);
  const int back = (background - 1 - __builtin_clz(reversed << 16)) & 7;
  const ptrdiff_t last = start + steps[back];
  ptrdiff_t p = start;
  int from = back;
  uint64_t count = 0;
  for (;;) {
    const uint32_t bits = neighbours(image + p, stride);
    const int first = from + 1, skipped = __builtin_ctz((bits | bits << 8) >> first);
    const int direction = (first + skipped) & 7;
    /* Whether the pixel on the right is among those that were skipped. */
    if (((8 - first) & 7) < skipped) labels[p] = -number;
    else if (labels[p] == 0) labels[p] = number;
    if (count < most) points[count] = at;
    count++;
    const ptrdiff_t next = p + steps[direction];
    if (next == start && p == last) return count;
    at += (uint32_t)moves[direction];
    p = next;
    from = direction ^ 4;
  }
}

/* The next element from x on that is 0 (or, inverted, 1) in a row of zeros and ones. Whole words are read: rows are
 * padded. */
static int next_change(const uint8_t *row, int x, int end, uint64_t inverted) {
  while (x < end) {
    uint64_t word;
    memcpy(&word, row + x, 8);
    word ^= inverted;
    if (word) {
      x += __builtin_ctzll(word) >> 3;
      return x < end ? x : end;
    }
    x += 8;
  }
  return end;
}

void cvk_u8_contours__scalar(cvk_contour *dst, uint64_t most, uint32_t *points, uint64_t most_points,
                             cvk_contour_totals *totals, const uint8_t *image, int32_t *labels, int width,
                             int height) {
  const ptrdiff_t stride = cvk_contour_stride(width);
  const uint64_t ones = 0x0101010101010101u;
  uint64_t contours = 0, stored = 0;
  for (int y = 0; y < height; y++) {
    const uint8_t *row = image + (y + 1) * stride;
    int32_t *own = labels + (y + 1) * stride;
    int32_t before = 1; /* the border that was passed last; 1 is the frame, the border of a hole */
    const int end = width + 1;
    for (int x = next_change(row, 1, end, 0); x < end;) {
      const int behind = next_change(row, x, end, ones); /* the run of pixels is from x to before this */
      for (int side = 0; side < 2; side++) {
        const int at = side ? behind - 1 : x;
        const int starts = side ? own[at] >= 0 : own[at] == 0;
        if (starts) {
          if (side && own[at] > 0) before = own[at];
          else if (side) {
            int seen = at - 1; /* a run's first pixel is on a border already */
            while (own[seen] == 0) seen--;
            before = own[seen] < 0 ? -own[seen] : own[seen];
          }
          const int32_t number = (int32_t)(contours + 2), is_hole = side;
          /* Borders that are not stored have no parent to look up: only their number counts. */
          int32_t parent = before - 2;
          if (contours < most) {
            const int is_in_hole = parent < 0 || dst[parent].is_hole;
            if (is_hole == is_in_hole) parent = parent < 0 ? -1 : dst[parent].parent;
          }
          const uint64_t count =
              follow(points + (stored < most_points ? stored : most_points),
                     stored < most_points ? most_points - stored : 0, image, labels, stride, (y + 1) * stride + at,
                     (uint32_t)(at - 1) | (uint32_t)y << 16, side ? 0 : 4, number);
          if (contours < most) dst[contours] = (cvk_contour){(uint32_t)stored, (uint32_t)count, parent, is_hole};
          contours++, stored += count;
        }
        before = own[at] < 0 ? -own[at] : own[at];
      }
      x = next_change(row, behind, end, 0);
    }
  }
  totals->contours = contours, totals->points = stored;
}

static void note(uint8_t *pair, const uint8_t *src, int count) {
  uint8_t least = pair[0], greatest = pair[1];
  for (int x = 0; x < count; x++) {
    least = src[x] < least ? src[x] : least;
    greatest = src[x] > greatest ? src[x] : greatest;
  }
  pair[0] = least, pair[1] = greatest;
}

void cvk_u8_contour_depths__scalar(uint8_t *depths, const cvk_contour *contours, int count, const uint8_t *image,
                                   const int32_t *labels, const uint8_t *src, ptrdiff_t src_stride, int width,
                                   int height) {
  const ptrdiff_t stride = cvk_contour_stride(width);
  const uint64_t ones = 0x0101010101010101u;
  for (int i = 0; i <= count; i++) depths[2 * i] = 255, depths[2 * i + 1] = 0;
  for (int y = 0; y < height; y++) {
    const uint8_t *row = image + (y + 1) * stride, *from = src + y * src_stride - 1;
    const int32_t *own = labels + (y + 1) * stride;
    const int end = width + 1;
    int around = count; /* the hole that the background is in; the last pair: none */
    for (int x = 1; x < end;) {
      const int begin = next_change(row, x, end, 0);
      note(depths + 2 * around, from + x, begin - x);
      if (begin == end) break;
      const int behind = next_change(row, begin, end, ones);
      int border = (own[begin] < 0 ? -own[begin] : own[begin]) - 2;
      note(depths + 2 * (contours[border].is_hole ? contours[border].parent : border), from + begin, behind - begin);
      /* The last pixel of a run has the border towards the background on its right. */
      border = -own[behind - 1] - 2;
      around = contours[border].is_hole ? border : contours[border].parent < 0 ? count : contours[border].parent;
      x = behind;
    }
  }
}
