/* Kernels that find edges for straight lines, written once and compiled for every instruction set: plain loops over the
 * pixels of a row, which compilers turn into vectors. A file of an instruction set defines VARIANT(name), which makes
 * the name of its variant, and includes this. */

void VARIANT(cvk_u8_line_gradient)(int16_t *gx, int16_t *gy, ptrdiff_t dst_stride, const uint8_t *src,
                                   ptrdiff_t src_stride, int width, int height, int keep, int16_t *work) {
  int16_t *restrict smooth = work + 2, *restrict change = work + 2 + width + 4;
  for (int y = 0; y < height; y++) {
    const uint8_t *rows[5];
    for (int i = 0; i < 5; i++) {
      int row = y + i - 2;
      row = row < 0 ? 0 : row >= height ? height - 1 : row;
      rows[i] = src + (ptrdiff_t)row * src_stride;
    }
    const uint8_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3],
                  *restrict e = rows[4];
    for (int x = 0; x < width; x++) {
      smooth[x] = (int16_t)(a[x] + e[x] + 4 * (b[x] + d[x]) + 6 * c[x]);
      change[x] = (int16_t)(e[x] - a[x] + 2 * (d[x] - b[x]));
    }
    for (int i = 1; i <= 2; i++) {
      smooth[-i] = smooth[0], smooth[width - 1 + i] = smooth[width - 1];
      change[-i] = change[0], change[width - 1 + i] = change[width - 1];
    }
    int16_t *restrict across = (int16_t *)((char *)gx + y * dst_stride);
    int16_t *restrict down = (int16_t *)((char *)gy + y * dst_stride);
    if (!keep) {
      for (int x = 0; x < width; x++) {
        across[x] = (int16_t)(smooth[x + 2] - smooth[x - 2] + 2 * (smooth[x + 1] - smooth[x - 1]));
        down[x] = (int16_t)(change[x - 2] + change[x + 2] + 4 * (change[x - 1] + change[x + 1]) + 6 * change[x]);
      }
    } else {
      for (int x = 0; x < width; x++) {
        const int16_t p = (int16_t)(smooth[x + 2] - smooth[x - 2] + 2 * (smooth[x + 1] - smooth[x - 1]));
        const int16_t q =
            (int16_t)(change[x - 2] + change[x + 2] + 4 * (change[x - 1] + change[x + 1]) + 6 * change[x]);
        const int16_t p0 = across[x], q0 = down[x];
        const int is_longer = p * p + q * q > p0 * p0 + q0 * q0;
        across[x] = is_longer ? p : p0;
        down[x] = is_longer ? q : q0;
      }
    }
  }
}

static inline void VARIANT(clear_peaks)(int32_t *dst, int count) {
  for (int x = 0; x < count; x++) dst[x] = 0;
}

/* `own` and `other` are the gradients along the axis and across it; `before` and `behind` those along it of the
 * neighbours. */
static inline void VARIANT(row_of_peaks)(int32_t *restrict dst, const int16_t *own, const int16_t *other,
                                         const int16_t *before, const int16_t *behind, int count, int least) {
  for (int x = 0; x < count; x++) {
    const int value = own[x], a = value < 0 ? -value : value, o = other[x], size = o < 0 ? -o : o;
    const int p = before[x] < 0 ? -before[x] : before[x], q = behind[x] < 0 ? -behind[x] : behind[x];
    const int is_peak = (a >= least) & (5 * a >= 4 * size) & (a > p) & (a >= q);
    /* Elsewhere the divisors may be 0: there they become 1. */
    const float curve = is_peak ? (float)(2 * a - p - q) : 1, along = is_peak ? (float)value : 1;
    const int offset = (int)(32.0f * (float)(q - p) / curve);
    const int slope = (int)(-64.0f * (float)o / along);
    const int32_t packed = (int32_t)((uint32_t)value << 16 | ((uint32_t)slope & 255) << 8 | ((uint32_t)offset & 255));
    dst[x] = is_peak ? packed : 0;
  }
}

void VARIANT(cvk_s16_line_peaks)(int32_t *dst, ptrdiff_t dst_stride, const int16_t *gx, const int16_t *gy,
                                 ptrdiff_t src_stride, int width, int height, int least, int axis) {
  for (int y = 0; y < height; y++) {
    int32_t *line = (int32_t *)((char *)dst + y * dst_stride);
    const int16_t *across = (const int16_t *)((const char *)gx + y * src_stride);
    const int16_t *down = (const int16_t *)((const char *)gy + y * src_stride);
    if (axis) {
      line[0] = line[width - 1] = 0;
      if (width > 2)
        VARIANT(row_of_peaks)(line + 1, across + 1, down + 1, across, across + 2, width - 2, least);
    } else if (y == 0 || y == height - 1) {
      VARIANT(clear_peaks)(line, width);
    } else {
      VARIANT(row_of_peaks)(line, down, across, (const int16_t *)((const char *)down - src_stride),
                            (const int16_t *)((const char *)down + src_stride), width, least);
    }
  }
}

void VARIANT(cvk_u8_channel)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                             int height, int channels, int channel) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    uint8_t *restrict to = dst;
    const uint8_t *restrict from = src + channel;
    /* Loops of their own, as strides that are known become shuffles. */
    if (channels == 3)
      for (int x = 0; x < width; x++) to[x] = from[3 * x];
    else if (channels == 4)
      for (int x = 0; x < width; x++) to[x] = from[4 * x];
    else
      for (int x = 0; x < width; x++) to[x] = from[(ptrdiff_t)channels * x];
  }
}

void VARIANT(cvk_s32_line_support)(int32_t *dst, double *sums, const int32_t *map, int width, int height, int first,
                                   int last, float start, float slope, int dense) {
  const float limit = (float)height;
  for (int t = first; t < last; t++) {
    const float expected = start + slope * (float)t;
    /* NaN is not within either. */
    const int is_within = (expected > -1) & (expected < limit);
    const float center = is_within ? expected : 0;
    const int row = (int)(center + 1.5f) - 1;
    int32_t best = 0;
    float best_distance = 1.2f;
    for (int k = -1; k <= 1; k++) {
      const int candidate = row + k, is_row = (candidate >= 0) & (candidate < height) & is_within;
      const int32_t packed = map[is_row ? (ptrdiff_t)candidate * width + t : (ptrdiff_t)t];
      const float offset = (float)candidate + (float)(int8_t)packed * (1 / 64.0f) - center;
      const float distance = offset < 0 ? -offset : offset;
      const float slope_difference = (float)(int8_t)(packed >> 8) * (1 / 64.0f) - slope;
      const int is_better = is_row & (packed != 0) & (distance < best_distance) & (slope_difference < 0.42f) &
                            (slope_difference > -0.42f);
      best = is_better ? (int32_t)(((uint32_t)packed & ~255u) | ((uint32_t)(int)(offset * 64.0f) & 255)) : best;
      best_distance = is_better ? distance : best_distance;
    }
    dst[t] = best;
  }
  /* Which of the columns t - 4 ... t + 4 have an edge, the last one in the lowest bit. */
  unsigned seen = 0;
  for (int t = first; t < first + 4 && t < last; t++) seen |= (dst[t] != 0) << (first + 3 - t);
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  const double middle = ((double)first + last) / 2;
  for (int t = first; t < last; t++) {
    seen = seen << 1 | (t + 4 < last && dst[t + 4] != 0);
    if (dst[t] == 0) continue;
    if (__builtin_popcount(seen & 511) < dense) {
      dst[t] = 0;
      continue;
    }
    const double at = t - middle, off = (int8_t)dst[t] * (1 / 64.0);
    n += 1, x += at, y += off, xx += at * at, xy += at * off;
  }
  sums[0] = n, sums[1] = x, sums[2] = y, sums[3] = xx, sums[4] = xy;
}
