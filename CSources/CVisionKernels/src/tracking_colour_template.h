/* Kernels of the trackers' colours, written once and compiled for every instruction set: see tracking_template.h. */
#include <math.h>
#include <string.h>

#define COLOURS CVK_TRACK_COLOURS
#define NAMES CVK_TRACK_NAMES
#define MOST_POINTS CVK_TRACK_MOST_POINTS
#define TAPS 4 /* pixels of a block along an axis, at most */
#define MOST_LINE 8192 /* components of a row of pixels that are summed at once */

static double VARIANT(finite)(double value, double most) {
  if (!(value > -most)) return -most; /* NaN as well */
  return value > most ? most : value;
}

/* Indices of the pixels that each point takes along one axis, `taps` a point. */
static void VARIANT(point_pixels)(int32_t *index, int side, int taps, int spacing, double start, double step,
                                  int length) {
  for (int i = 0; i < side; i++) {
    int first = (int)floor(VARIANT(finite)(start + i * step, 1e6));
    first = first < 0 ? 0 : first > length - 1 ? length - 1 : first;
    for (int t = 0; t < taps; t++) {
      int pixel = first + t * spacing;
      index[i * taps + t] = pixel > length - 1 ? length - 1 : pixel;
    }
  }
}

/* What the sum of a component over taps * taps pixels is multiplied by and shifted, so that 16 levels come out: the sum
 * divided by 16 * taps * taps and rounded down, exactly for all sums that there are. */
static const struct {
  uint32_t factor, shift;
} colour_levels[TAPS + 1] = {{0, 0}, {0, 0}, {1, 6}, {7282, 20}, {1, 8}};

/* The points of a row: `columns` has `taps` entries a point in `line`, whose components are sums over rows already. A
 * pixel is read as four components at once; what follows a smaller one does no harm. */
static void VARIANT(point_row)(uint16_t *restrict to, const uint16_t *line, const int32_t *columns, int side,
                               int taps, const cvk_track_colour_view *view) {
  uint64_t sums[MOST_POINTS];
  for (int x = 0; x < side; x++) {
    uint64_t sum = 0, pixel;
    for (int t = 0; t < taps; t++) {
      memcpy(&pixel, line + columns[x * taps + t], sizeof pixel);
      sum += pixel; /* at most 16 * 255 in each of its four parts */
    }
    sums[x] = sum;
  }
  uint32_t factor = colour_levels[taps].factor, shift = colour_levels[taps].shift;
  int red = view->red * 16, green = view->green * 16, blue = view->blue * 16;
  for (int x = 0; x < side; x++) {
    uint32_t r = (uint32_t)(sums[x] >> red) & 0xffff, g = (uint32_t)(sums[x] >> green) & 0xffff;
    uint32_t b = (uint32_t)(sums[x] >> blue) & 0xffff;
    to[x] = (uint16_t)((r * factor >> shift) << 8 | (g * factor >> shift) << 4 | b * factor >> shift);
  }
}

/* Sums of the bytes of 2 ... TAPS rows, and some zeros to read on. */
static void VARIANT(sum_rows)(uint16_t *restrict line, const uint8_t *src, ptrdiff_t src_stride, const int32_t *rows,
                              int taps, int count) {
  const uint8_t *restrict a = src + rows[0] * src_stride, *restrict b = src + rows[1 % taps] * src_stride;
  const uint8_t *restrict c = src + rows[2 % taps] * src_stride, *restrict d = src + rows[3 % taps] * src_stride;
  if (taps == 2)
    for (int i = 0; i < count; i++) line[i] = (uint16_t)(a[i] + b[i]);
  else if (taps == 3)
    for (int i = 0; i < count; i++) line[i] = (uint16_t)(a[i] + b[i] + c[i]);
  else
    for (int i = 0; i < count; i++) line[i] = (uint16_t)(a[i] + b[i] + c[i] + d[i]);
  memset(line + count, 0, 3 * sizeof *line);
}

/* The points of a view of single pixels, or of pixels far from each other, of which only those that count are read. */
static void VARIANT(scattered_colours)(uint16_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                       const int32_t *columns, const int32_t *rows, int side, int taps,
                                       const cvk_track_colour_view *view) {
  uint32_t factor = colour_levels[taps].factor, shift = colour_levels[taps].shift;
  for (int y = 0; y < side; y++) {
    uint16_t *to = (uint16_t *)(void *)((char *)dst + y * dst_stride);
    if (taps == 1) {
      const uint8_t *row = src + rows[y] * src_stride;
      for (int x = 0; x < side; x++) {
        const uint8_t *pixel = row + columns[x] * (ptrdiff_t)view->pixel_bytes;
        to[x] = (uint16_t)(pixel[view->red] >> 4 << 8 | pixel[view->green] >> 4 << 4 | pixel[view->blue] >> 4);
      }
      continue;
    }
    for (int x = 0; x < side; x++) {
      uint32_t r = 0, g = 0, b = 0;
      for (int v = 0; v < taps; v++)
        for (int u = 0; u < taps; u++) {
          const uint8_t *pixel =
              src + rows[y * taps + v] * src_stride + columns[x * taps + u] * (ptrdiff_t)view->pixel_bytes;
          r += pixel[view->red];
          g += pixel[view->green];
          b += pixel[view->blue];
        }
      to[x] = (uint16_t)((r * factor >> shift) << 8 | (g * factor >> shift) << 4 | b * factor >> shift);
    }
  }
}

void VARIANT(cvk_u8_track_colours)(uint16_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                   int width, int height, int side, const cvk_track_colour_view *view) {
  double step = VARIANT(finite)(view->step, 1e5);
  int block = (int)(step * 0.5 + 0.5);
  if (block < 1) block = 1;
  int taps = block < TAPS ? block : TAPS, spacing = block / taps;
  int32_t columns[MOST_POINTS * TAPS], rows[MOST_POINTS * TAPS];
  VARIANT(point_pixels)(columns, side, taps, spacing, view->x, step, width);
  VARIANT(point_pixels)(rows, side, taps, spacing, view->y, step, height);
  int bytes = view->pixel_bytes, low = width, high = 0;
  for (int i = 0; i < side * taps; i++) {
    low = columns[i] < low ? columns[i] : low;
    high = columns[i] > high ? columns[i] : high;
  }
  int count = (high - low + 1) * bytes;
  if (taps > 1 && count <= MOST_LINE) {
    uint16_t line[MOST_LINE + 3];
    for (int i = 0; i < side * taps; i++) columns[i] = (columns[i] - low) * bytes;
    for (int y = 0; y < side; y++) {
      VARIANT(sum_rows)(line, src + low * (ptrdiff_t)bytes, src_stride, rows + y * taps, taps, count);
      VARIANT(point_row)((uint16_t *)(void *)((char *)dst + y * dst_stride), line, columns, side, taps, view);
    }
    return;
  }
  VARIANT(scattered_colours)(dst, dst_stride, src, src_stride, columns, rows, side, taps, view);
}

void VARIANT(cvk_f32_track_names)(float *dst, ptrdiff_t dst_channel_stride, const uint16_t *src, ptrdiff_t src_stride,
                                  int cells, const float *names, const float *window) {
  float total[NAMES] = {0};
  for (int y = 0; y < cells; y++) {
    const uint16_t *above = (const uint16_t *)(const void *)((const char *)src + 2 * y * src_stride);
    const uint16_t *below = (const uint16_t *)(const void *)((const char *)above + src_stride);
    for (int x = 0; x < cells; x++) {
      const float *a = names + (above[2 * x] & (COLOURS - 1)) * NAMES,
                  *b = names + (above[2 * x + 1] & (COLOURS - 1)) * NAMES;
      const float *c = names + (below[2 * x] & (COLOURS - 1)) * NAMES,
                  *d = names + (below[2 * x + 1] & (COLOURS - 1)) * NAMES;
      float mean[NAMES];
      for (int k = 0; k < NAMES; k++) mean[k] = ((a[k] + b[k]) + (c[k] + d[k])) * 0.25f;
      for (int k = 0; k < NAMES; k++) total[k] += mean[k];
      for (int k = 0; k < NAMES; k++)
        *(float *)(void *)((char *)dst + k * dst_channel_stride + (y * cells + x) * (ptrdiff_t)sizeof(float)) = mean[k];
    }
  }
  for (int k = 0; k < NAMES; k++) {
    float *restrict plane = (float *)(void *)((char *)dst + k * dst_channel_stride);
    const float *restrict weight = window;
    float mean = total[k] / (float)(cells * cells);
    for (int i = 0; i < cells * cells; i++) plane[i] = (plane[i] - mean) * weight[i];
  }
}

void VARIANT(cvk_u16_track_histograms)(float *target, float *around, const uint16_t *src, ptrdiff_t src_stride,
                                       int side, float inner_x, float inner_y, float outer_x, float outer_y,
                                       float rate) {
  uint16_t inside[COLOURS], outside[COLOURS]; /* at most 128 x 128 points */
  int inner = 0, outer = 0;
  memset(inside, 0, sizeof inside);
  memset(outside, 0, sizeof outside);
  for (int y = 0; y < side; y++) {
    const uint16_t *from = (const uint16_t *)(const void *)((const char *)src + y * src_stride);
    float dy = fabsf((float)y + 0.5f - (float)side * 0.5f);
    for (int x = 0; x < side; x++) {
      float dx = fabsf((float)x + 0.5f - (float)side * 0.5f);
      int colour = from[x] & (COLOURS - 1);
      if (dx <= inner_x && dy <= inner_y) {
        inside[colour]++;
        inner++;
      } else if (dx > outer_x || dy > outer_y) {
        outside[colour]++;
        outer++;
      }
    }
  }
  float per_inner = inner > 0 ? 1 / (float)inner : 0, per_outer = outer > 0 ? 1 / (float)outer : 0;
  float *restrict t = target, *restrict a = around;
  for (int i = 0; i < COLOURS; i++) t[i] += ((float)inside[i] * per_inner - t[i]) * rate;
  for (int i = 0; i < COLOURS; i++) a[i] += ((float)outside[i] * per_outer - a[i]) * rate;
}

void VARIANT(cvk_u16_track_likelihood)(float *dst, ptrdiff_t dst_stride, const uint16_t *src, ptrdiff_t src_stride,
                                       int side, const float *target, const float *around) {
  const float rare = 1e-5f; /* a colour that neither has seen is as likely the one's as the other's */
  memset(dst, 0, sizeof(float) * (size_t)(side + 1));
  for (int y = 0; y < side; y++) {
    const uint16_t *from = (const uint16_t *)(const void *)((const char *)src + y * src_stride);
    const float *restrict above = (const float *)(const void *)((char *)dst + y * dst_stride);
    float *restrict to = (float *)(void *)((char *)dst + (y + 1) * dst_stride);
    float sum = 0;
    to[0] = 0;
    for (int x = 0; x < side; x++) {
      int colour = from[x] & (COLOURS - 1);
      float t = target[colour] + rare, a = around[colour] + rare;
      sum += t / (t + a);
      to[x + 1] = sum;
    }
    for (int x = 0; x <= side; x++) to[x] += above[x];
  }
}

void VARIANT(cvk_f32_track_merge)(float *dst, const float *integral, ptrdiff_t integral_stride, int cells,
                                  float width, float height, float scale, float weight) {
  int side = 2 * cells;
  int16_t low[MOST_POINTS / 2], high[MOST_POINTS / 2];
  int16_t top[MOST_POINTS / 2], bottom[MOST_POINTS / 2];
  float area = width * height > 1 ? width * height : 1;
  for (int i = 0; i < cells; i++) {
    float middle = (float)cells + 2 * (float)(i < (cells + 1) / 2 ? i : i - cells);
    float edges[4] = {middle - width * 0.5f, middle + width * 0.5f, middle - height * 0.5f, middle + height * 0.5f};
    int16_t *results[4] = {low, high, top, bottom};
    for (int k = 0; k < 4; k++) {
      float edge = !(edges[k] > 0) ? 0 : edges[k] > (float)side ? (float)side : edges[k];
      results[k][i] = (int16_t)(edge + 0.5f);
    }
  }
  float per_area = weight / area;
  for (int y = 0; y < cells; y++) {
    const float *above = (const float *)(const void *)((const char *)integral + top[y] * integral_stride);
    const float *below = (const float *)(const void *)((const char *)integral + bottom[y] * integral_stride);
    float *to = dst + (ptrdiff_t)y * cells;
    for (int x = 0; x < cells; x++) {
      float sum = (below[high[x]] - below[low[x]]) - (above[high[x]] - above[low[x]]);
      to[x] = to[x] * scale + sum * per_area;
    }
  }
}
