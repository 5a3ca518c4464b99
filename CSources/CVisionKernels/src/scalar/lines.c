/* Edges of straight lines: see lines_template.h. */
#include "../internal.h"

#define VARIANT(name) name##__scalar
#include "../lines_template.h"

/* Only here: each step waits for the one before. */

/* Sums of a fit by least squares, x and y counted from the seed. */
typedef struct fit {
  float n, x, y, xx, xy, yy;
} fit;

static void fit_add(fit *f, float x, float y) {
  f->n += 1, f->x += x, f->y += y, f->xx += x * x, f->xy += x * y, f->yy += y * y;
}

/* `strength` draws the slope towards `prior` like points whose squared distances add up to that. */
static void fit_line(const fit *f, float prior, float strength, float *start, float *slope) {
  const float x = f->x / f->n, y = f->y / f->n;
  *slope = (f->xy - f->n * x * y + strength * prior) / (f->xx - f->n * x * x + strength);
  *start = y - *slope * x;
}

static float peak_slope(int32_t packed) { return (float)(int8_t)(packed >> 8) * (1 / 64.0f); }
static float peak_offset(int32_t packed) { return (float)(int8_t)packed * (1 / 64.0f); }

static int strength(int32_t packed) { return packed < 0 ? -(packed >> 16) : packed >> 16; }
static int full(int32_t packed) {
  return strength(packed) < CVK_LINE_FULL_GRADIENT ? strength(packed) : CVK_LINE_FULL_GRADIENT;
}

/* Whether a piece from the seed on is long, straight and full enough. */
static int trace(cvk_line_segment *piece, const int32_t *map, int width, int height, int seed_x, int seed_y, int least,
                 uint8_t *taken) {
  enum { MOST_MISSING = 3 };
  const float reach = 1.1f, most_slope_difference = 0.45f;
  const int32_t seed = map[(ptrdiff_t)seed_y * width + seed_x];
  const float prior = peak_slope(seed);
  fit f = {0};
  fit_add(&f, 0, peak_offset(seed));
  float start = peak_offset(seed), slope = prior;
  int first = seed_x, last = seed_x, count = 1;
  taken[(ptrdiff_t)seed_y * width + seed_x] = 1;
  int weight = full(seed);
  for (int direction = 1; direction >= -1; direction -= 2) {
    int missing = 0;
    for (int x = seed_x + direction; x >= 0 && x < width && missing <= MOST_MISSING; x += direction) {
      const float expected = (float)seed_y + start + slope * (float)(x - seed_x);
      if (!(expected > -1 && expected < (float)height)) break;
      const int row = (int)(expected + 1.5f) - 1;
      int best = -1;
      float best_distance = reach;
      for (int y = row - 1; y <= row + 1; y++) {
        if (y < 0 || y >= height) continue;
        const int32_t packed = map[(ptrdiff_t)y * width + x];
        if (packed == 0) continue;
        const float offset = (float)y + peak_offset(packed) - expected, turn = peak_slope(packed) - slope;
        const float distance = offset < 0 ? -offset : offset, slope_difference = turn < 0 ? -turn : turn;
        if (distance < best_distance && slope_difference < most_slope_difference) best = y, best_distance = distance;
      }
      if (best < 0) {
        missing++;
        continue;
      }
      const ptrdiff_t index = (ptrdiff_t)best * width + x;
      taken[index] = 1;
      fit_add(&f, (float)(x - seed_x), (float)(best - seed_y) + peak_offset(map[index]));
      missing = 0, count++, weight += full(map[index]);
      first = x < first ? x : first, last = x > last ? x : last;
      /* A long line hardly changes by one more edge. */
      if (count < 16 || count % 4 == 0) fit_line(&f, prior, 40, &start, &slope);
    }
  }
  if (last - first + 1 < least || 10 * count < 7 * (last - first + 1)) return 0;
  fit_line(&f, prior, 0.01f, &start, &slope);
  const float squares = f.yy - 2 * start * f.y - 2 * slope * f.xy + f.n * start * start + 2 * start * slope * f.x +
                        slope * slope * f.xx;
  if (!(slope < 1.5f && slope > -1.5f && squares < 0.5f * f.n)) return 0;
  *piece = (cvk_line_segment){(float)seed_y + start - slope * (float)seed_x, slope, first, last, count, weight};
  return 1;
}

void cvk_s32_line_segments__scalar(cvk_line_segment *dst, int most, const int32_t *map, int width, int height,
                                   int least, int seed, uint8_t *taken) {
  const int step = least / 3 < 2 ? 2 : least / 3;
  int count = 0;
  dst[0] = (cvk_line_segment){0, 0, 0, 0, 0, 0};
  for (int y = 0; y < height && count < most; y++)
    /* Every piece that is long enough crosses one of these columns. */
    for (int x = step / 2; x < width && count < most; x += step) {
      const ptrdiff_t index = (ptrdiff_t)y * width + x;
      if (map[index] == 0 || taken[index] || strength(map[index]) < seed) continue;
      count += trace(dst + 1 + count, map, width, height, x, y, least, taken);
    }
  dst[0].count = count;
}
