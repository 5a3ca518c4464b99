/* Kernels for optical flow, written once and compiled for every instruction set: plain loops over the pixels of a row,
 * which compilers turn into vectors, without sums over lanes, so all variants give the same bits. A file of an
 * instruction set defines VARIANT(name), which makes the name of its variant, and includes this. */

#define FLOW_ROOT(x) __builtin_elementwise_sqrt(x)

/* Repeats the ends of a row. */
static inline void VARIANT(flow_edges)(float *row, int width) {
  for (int i = 1; i <= CVK_FLOW_EDGE; i++) row[-i] = row[0], row[width - 1 + i] = row[width - 1];
}

static inline int VARIANT(flow_row)(int y, int height) { return y < 0 ? 0 : y < height ? y : height - 1; }

void VARIANT(cvk_u8_flow_plane)(float *dst, const uint8_t *src, ptrdiff_t src_stride, int width, int height) {
  const ptrdiff_t stride = cvk_flow_stride(width);
  for (int y = 0; y < height; y++, dst += stride, src += src_stride) {
    float *restrict to = dst;
    const uint8_t *restrict from = src;
    for (int x = 0; x < width; x++) to[x] = (float)from[x];
    VARIANT(flow_edges)(to, width);
  }
}

void VARIANT(cvk_f32_flow_reduce)(float *dst, const float *src, int width, int height, float *work) {
  const int columns = (width + 1) / 2, rows = (height + 1) / 2;
  const ptrdiff_t stride = cvk_flow_stride(width), own = cvk_flow_stride(columns);
  float *restrict line = work + CVK_FLOW_MARGIN;
  for (int y = 0; y < rows; y++, dst += own) {
    const float *restrict a = src + stride * VARIANT(flow_row)(2 * y - 1, height);
    const float *restrict b = src + stride * VARIANT(flow_row)(2 * y, height);
    const float *restrict c = src + stride * VARIANT(flow_row)(2 * y + 1, height);
    const float *restrict d = src + stride * VARIANT(flow_row)(2 * y + 2, height);
    for (int x = -2; x < width + 2; x++) line[x] = (a[x] + d[x]) + 3 * (b[x] + c[x]);
    float *restrict to = dst;
    for (int x = 0; x < columns; x++)
      to[x] = ((line[2 * x - 1] + line[2 * x + 2]) + 3 * (line[2 * x] + line[2 * x + 1])) * (1 / 64.0f);
    VARIANT(flow_edges)(to, columns);
  }
}

void VARIANT(cvk_f32_flow_enlarge)(float *dst, const float *src, int width, int height, float factor) {
  const int columns = (width + 1) / 2, rows = (height + 1) / 2;
  const ptrdiff_t stride = cvk_flow_stride(width), own = cvk_flow_stride(columns);
  const float near = 0.75f * 0.75f * factor, side = 0.75f * 0.25f * factor, far = 0.25f * 0.25f * factor;
  for (int y = 0; y < height; y++, dst += stride) {
    const float *restrict a = src + own * (y / 2);
    const float *restrict b = src + own * VARIANT(flow_row)(y / 2 + (y & 1 ? 1 : -1), rows);
    float *restrict to = dst;
    for (int k = 0; k < width / 2; k++) {
      to[2 * k] = near * a[k] + side * (a[k - 1] + b[k]) + far * b[k - 1];
      to[2 * k + 1] = near * a[k] + side * (a[k + 1] + b[k]) + far * b[k + 1];
    }
    if (width & 1) {
      const int k = width / 2;
      to[2 * k] = near * a[k] + side * (a[k - 1] + b[k]) + far * b[k - 1];
    }
    VARIANT(flow_edges)(to, width);
  }
}

void VARIANT(cvk_f32_flow_warp)(float *mean, float *change, const float *first, const float *second, const float *u,
                                const float *v, int width, int height) {
  enum { BLOCK = 32 };
  const ptrdiff_t stride = cvk_flow_stride(width);
  const float right = (float)(width - 1), bottom = (float)(height - 1);
  for (int y = 0; y < height; y++, mean += stride, change += stride, first += stride, u += stride, v += stride) {
    for (int x = 0; x < width; x += BLOCK) {
      const int count = width - x < BLOCK ? width - x : BLOCK;
      int32_t at[BLOCK];
      float across[BLOCK], down[BLOCK], upper[2 * BLOCK], lower[2 * BLOCK];
      for (int i = 0; i < count; i++) {
        float px = (float)(x + i) + u[x + i], py = (float)y + v[x + i];
        px = px > 0 ? px : 0, px = px < right ? px : right;
        py = py > 0 ? py : 0, py = py < bottom ? py : bottom;
        const int column = (int)px, row = (int)py;
        across[i] = px - (float)column, down[i] = py - (float)row;
        at[i] = row * (int32_t)stride + column;
      }
      for (int i = 0; i < count; i++) {
        const float *p = second + at[i];
        /* The row below the last one does not count: its weight is 0. */
        const float *q = at[i] < (int32_t)stride * (height - 1) ? p + stride : p;
        memcpy(upper + 2 * i, p, 8);
        memcpy(lower + 2 * i, q, 8);
      }
      for (int i = 0; i < count; i++) {
        const float up = upper[2 * i] + (upper[2 * i + 1] - upper[2 * i]) * across[i];
        const float low = lower[2 * i] + (lower[2 * i + 1] - lower[2 * i]) * across[i];
        const float value = up + (low - up) * down[i], other = first[x + i];
        mean[x + i] = 0.5f * (value + other);
        change[x + i] = value - other;
      }
    }
    VARIANT(flow_edges)(mean, width);
    VARIANT(flow_edges)(change, width);
  }
}

void VARIANT(cvk_f32_flow_gradient)(float *dx, float *dy, const float *src, int width, int height) {
  const ptrdiff_t stride = cvk_flow_stride(width);
  for (int y = 0; y < height; y++) {
    const float *restrict a = src + stride * VARIANT(flow_row)(y - 2, height);
    const float *restrict b = src + stride * VARIANT(flow_row)(y - 1, height);
    const float *restrict own = src + stride * y;
    const float *restrict c = src + stride * VARIANT(flow_row)(y + 1, height);
    const float *restrict d = src + stride * VARIANT(flow_row)(y + 2, height);
    float *restrict to_x = dx + stride * y, *restrict to_y = dy + stride * y;
    for (int x = 0; x < width; x++) {
      to_x[x] = (8 * (own[x + 1] - own[x - 1]) - (own[x + 2] - own[x - 2])) * (1 / 12.0f);
      to_y[x] = (8 * (c[x] - b[x]) - (d[x] - a[x])) * (1 / 12.0f);
    }
    VARIANT(flow_edges)(to_x, width);
    VARIANT(flow_edges)(to_y, width);
  }
}

/* The stiffness of each pixel: the more the flow or the image changes there, the less. */
static void VARIANT(flow_spread)(float *spread, const float *dx, const float *dy, const float *u, const float *v,
                                 int width, int height, const cvk_flow_weights *weights) {
  const ptrdiff_t stride = cvk_flow_stride(width);
  const float scale = weights->flow_scale * weights->flow_scale;
  const float strength = 0.5f * weights->smoothness * weights->flow_scale;
  const float edge = 1 / (weights->edge * weights->edge);
  for (int y = 0; y < height; y++) {
    const ptrdiff_t above = stride * VARIANT(flow_row)(y - 1, height);
    const ptrdiff_t below = stride * VARIANT(flow_row)(y + 1, height);
    const float *restrict u0 = u + above, *restrict u1 = u + stride * y, *restrict u2 = u + below;
    const float *restrict v0 = v + above, *restrict v1 = v + stride * y, *restrict v2 = v + below;
    const float *restrict gx = dx + stride * y, *restrict gy = dy + stride * y;
    float *restrict to = spread + stride * y;
    for (int x = 0; x < width; x++) {
      const float a = u1[x + 1] - u1[x - 1], b = u2[x] - u0[x], c = v1[x + 1] - v1[x - 1], d = v2[x] - v0[x];
      const float bend = 0.25f * ((a * a + b * b) + (c * c + d * d));
      const float steep = (gx[x] * gx[x] + gy[x] * gy[x]) * edge;
      to[x] = strength / (FLOW_ROOT(bend + scale) * (1 + steep));
    }
    VARIANT(flow_edges)(to, width);
  }
}

void VARIANT(cvk_f32_flow_equations)(float *system, float *spread, const float *dx, const float *dy,
                                     const float *change, const float *u, const float *v, int width, int height,
                                     const cvk_flow_weights *weights, float *work) {
  const ptrdiff_t stride = cvk_flow_stride(width), half = cvk_flow_half(width);
  const ptrdiff_t system_stride = cvk_flow_system_stride(width);
  const float scale = weights->data_scale * weights->data_scale;
  const float brightness = weights->brightness, gradient = weights->gradient;
  VARIANT(flow_spread)(spread, dx, dy, u, v, width, height, weights);
  memset(system, 0, (size_t)(system_stride * height) * sizeof(float));
  float *lines[CVK_FLOW_QUANTITIES];
  for (int i = 0; i < CVK_FLOW_QUANTITIES; i++) lines[i] = work + i * stride;
  for (int y = 0; y < height; y++) {
    const ptrdiff_t here = stride * y;
    const ptrdiff_t above = stride * VARIANT(flow_row)(y - 1, height);
    const ptrdiff_t below = stride * VARIANT(flow_row)(y + 1, height);
    const float *restrict gx = dx + here, *restrict gy = dy + here, *restrict t = change + here;
    const float *restrict gx0 = dx + above, *restrict gx2 = dx + below, *restrict gy0 = dy + above,
                *restrict gy2 = dy + below;
    const float *restrict t0 = change + above, *restrict t2 = change + below;
    const float *restrict s0 = spread + above, *restrict s1 = spread + here, *restrict s2 = spread + below;
    const float *restrict own_u = u + here, *restrict own_v = v + here;
    const float is_first = y > 0 ? 1 : 0, is_last = y < height - 1 ? 1 : 0;
    float *restrict m11 = lines[0], *restrict m12 = lines[1], *restrict m22 = lines[2], *restrict r1 = lines[3],
                    *restrict r2 = lines[4];
    float *restrict left = lines[5], *restrict right = lines[6], *restrict up = lines[7], *restrict down = lines[8];
    for (int x = 0; x < width; x++) {
      const float ix = gx[x], iy = gy[x], it = t[x];
      const float xx = 0.5f * (gx[x + 1] - gx[x - 1]), xy = 0.5f * (gx2[x] - gx0[x]), yy = 0.5f * (gy2[x] - gy0[x]);
      const float xt = 0.5f * (t[x + 1] - t[x - 1]), yt = 0.5f * (t2[x] - t0[x]);
      /* Distances in the plane of the image rather than in brightness (Zimmer and others, 2011). */
      const float n = 1 / (ix * ix + iy * iy + 1);
      const float n1 = 1 / (xx * xx + xy * xy + 1), n2 = 1 / (xy * xy + yy * yy + 1);
      const float wb = brightness * n / FLOW_ROOT(it * it * n + scale);
      const float wg = gradient / FLOW_ROOT(xt * xt * n1 + yt * yt * n2 + scale);
      const float w1 = wg * n1, w2 = wg * n2;
      const float a11 = wb * ix * ix + (w1 * xx * xx + w2 * xy * xy);
      const float a12 = wb * ix * iy + (w1 * xx * xy + w2 * xy * yy);
      const float a22 = wb * iy * iy + (w1 * xy * xy + w2 * yy * yy);
      const float b1 = wb * ix * it + (w1 * xx * xt + w2 * xy * yt);
      const float b2 = wb * iy * it + (w1 * xy * xt + w2 * yy * yt);
      const float wl = s1[x] + s1[x - 1], wr = s1[x] + s1[x + 1];
      const float wu = (s1[x] + s0[x]) * is_first, wd = (s1[x] + s2[x]) * is_last;
      left[x] = wl, right[x] = wr, up[x] = wu, down[x] = wd;
      r1[x] = a11 * own_u[x] + a12 * own_v[x] - b1;
      r2[x] = a12 * own_u[x] + a22 * own_v[x] - b2;
      m11[x] = a11, m12[x] = a12, m22[x] = a22;
    }
    left[0] = 0, right[width - 1] = 0;
    for (int x = 0; x < width; x++) {
      const float sum = (left[x] + right[x]) + (up[x] + down[x]) + 1e-6f;
      const float a = m11[x] + sum, b = m12[x], d = m22[x] + sum, inverse = 1 / (a * d - b * b);
      m11[x] = d * inverse, m12[x] = -b * inverse, m22[x] = a * inverse;
    }
    for (int i = 0; i < CVK_FLOW_QUANTITIES; i++) {
      const float *restrict from = i == 9 ? own_u : i == 10 ? own_v : lines[i];
      float *row = system + system_stride * y + i * half + CVK_FLOW_HALF_MARGIN;
      float *restrict even = row + (y & 1) * CVK_FLOW_QUANTITIES * half;
      float *restrict odd = row + (1 - (y & 1)) * CVK_FLOW_QUANTITIES * half;
      for (int k = 0; k < width / 2; k++) even[k] = from[2 * k], odd[k] = from[2 * k + 1];
      if (width & 1) even[width / 2] = from[width - 1];
    }
  }
}

/* One colour of a row. */
static inline void VARIANT(flow_relax_row)(float *system, int width, int height, int y, int colour, float over) {
  const ptrdiff_t half = cvk_flow_half(width), system_stride = cvk_flow_system_stride(width);
  const int odd = (y ^ colour) & 1, count = (width + 1 - odd) / 2;
  float *own = system + system_stride * y + colour * CVK_FLOW_QUANTITIES * half + CVK_FLOW_HALF_MARGIN;
  const float *other = system + system_stride * y + (1 - colour) * CVK_FLOW_QUANTITIES * half + CVK_FLOW_HALF_MARGIN;
  const float *above = y > 0 ? other - system_stride : other, *below = y < height - 1 ? other + system_stride : other;
  const float *restrict m11 = own, *restrict m12 = own + half, *restrict m22 = own + 2 * half;
  const float *restrict r1 = own + 3 * half, *restrict r2 = own + 4 * half;
  const float *restrict wl = own + 5 * half, *restrict wr = own + 6 * half, *restrict wu = own + 7 * half,
              *restrict wd = own + 8 * half;
  float *restrict u = own + 9 * half, *restrict v = own + 10 * half;
  const float *restrict ul = other + 9 * half + odd - 1, *restrict vl = other + 10 * half + odd - 1;
  const float *restrict uu = above + 9 * half, *restrict vu = above + 10 * half;
  const float *restrict ud = below + 9 * half, *restrict vd = below + 10 * half;
  for (int k = 0; k < count; k++) {
    const float t1 = r1[k] + ((wl[k] * ul[k] + wr[k] * ul[k + 1]) + (wu[k] * uu[k] + wd[k] * ud[k]));
    const float t2 = r2[k] + ((wl[k] * vl[k] + wr[k] * vl[k + 1]) + (wu[k] * vu[k] + wd[k] * vd[k]));
    u[k] += over * (m11[k] * t1 + m12[k] * t2 - u[k]);
    v[k] += over * (m12[k] * t1 + m22[k] * t2 - v[k]);
  }
}

void VARIANT(cvk_f32_flow_relax)(float *u, float *v, float *system, int width, int height, int count, float over) {
  const ptrdiff_t stride = cvk_flow_stride(width), half = cvk_flow_half(width);
  const ptrdiff_t system_stride = cvk_flow_system_stride(width);
  /* All passes over all rows at once, each two rows behind the one before, so that rows stay in the cache. */
  for (int step = 0; step < height + 2 * (2 * count - 1); step++)
    for (int pass = 0; pass < 2 * count; pass++) {
      const int y = step - 2 * pass;
      if (y >= 0 && y < height) VARIANT(flow_relax_row)(system, width, height, y, pass & 1, over);
    }
  for (int y = 0; y < height; y++)
    for (int i = 0; i < 2; i++) {
      float *restrict to = (i ? v : u) + stride * y;
      const float *row = system + system_stride * y + (9 + i) * half + CVK_FLOW_HALF_MARGIN;
      const float *restrict even = row + (y & 1) * CVK_FLOW_QUANTITIES * half;
      const float *restrict odd = row + (1 - (y & 1)) * CVK_FLOW_QUANTITIES * half;
      for (int k = 0; k < width / 2; k++) to[2 * k] = even[k], to[2 * k + 1] = odd[k];
      if (width & 1) to[width - 1] = even[width / 2];
      VARIANT(flow_edges)(to, width);
    }
}

/* Medians work on vectors of 16 pixels, which compilers split where registers are shorter. */
typedef float flow_lanes __attribute__((vector_size(64)));

typedef int32_t flow_masks __attribute__((vector_size(64)));

#define FLOW_CHOOSE(mask, a, b) ((flow_lanes)(((mask) & (flow_masks)(a)) | (~(mask) & (flow_masks)(b))))
#define FLOW_SORT(a, b)                                                                                \
  do {                                                                                                 \
    const flow_masks less_ = (a) < (b);                                                                \
    const flow_lanes low_ = FLOW_CHOOSE(less_, a, b), high_ = FLOW_CHOOSE(less_, b, a);                \
    (a) = low_, (b) = high_;                                                                           \
  } while (0)

/* Sorts five numbers. */
#define FLOW_SORT_5(a, b, c, d, e)                                                                      \
  do {                                                                                                  \
    FLOW_SORT(a, b); FLOW_SORT(d, e); FLOW_SORT(c, e); FLOW_SORT(c, d); FLOW_SORT(a, d);                \
    FLOW_SORT(a, c); FLOW_SORT(b, e); FLOW_SORT(b, d); FLOW_SORT(b, c);                                 \
  } while (0)

void VARIANT(cvk_f32_flow_median)(float *dst, const float *src, int width, int height, int radius) {
  const ptrdiff_t stride = cvk_flow_stride(width);
  for (int y = 0; y < height; y++) {
    float *to = dst + stride * y;
    const float *rows[5];
    for (int k = -2; k <= 2; k++) rows[k + 2] = src + stride * VARIANT(flow_row)(y + k, height);
    for (int x = 0; x < width; x += 16) {
      flow_lanes p[25];
      /* Beyond the row's end is the margin, whose numbers are not used. */
      for (int i = 0; i < 25; i++) memcpy(p + i, rows[i / 5] + x + i % 5 - 2, sizeof(flow_lanes));
      if (radius == 1) {
        flow_lanes a = p[6], b = p[7], c = p[8], d = p[11], e = p[12], f = p[13], g = p[16], h = p[17], i = p[18];
        FLOW_SORT(b, c); FLOW_SORT(e, f); FLOW_SORT(h, i); FLOW_SORT(a, b); FLOW_SORT(d, e); FLOW_SORT(g, h);
        FLOW_SORT(b, c); FLOW_SORT(e, f); FLOW_SORT(h, i); FLOW_SORT(a, d); FLOW_SORT(f, i); FLOW_SORT(e, h);
        FLOW_SORT(d, g); FLOW_SORT(b, e); FLOW_SORT(c, f); FLOW_SORT(e, h); FLOW_SORT(e, c); FLOW_SORT(g, e);
        FLOW_SORT(e, c);
        memcpy(to + x, &e, sizeof e);
        continue;
      }
      /* Sorted along both axes, element (i, j) has at least (i + 1) (j + 1) - 1 others below it: the median is one of
       * the 13 that have at most twelve below and above. */
      for (int c = 0; c < 5; c++) FLOW_SORT_5(p[c], p[c + 5], p[c + 10], p[c + 15], p[c + 20]);
      for (int r = 0; r < 25; r += 5) FLOW_SORT_5(p[r], p[r + 1], p[r + 2], p[r + 3], p[r + 4]);
      flow_lanes q[13] = {p[3], p[4], p[7], p[8], p[9], p[11], p[12], p[13], p[15], p[16], p[17], p[20], p[21]};
      for (int i = 0; i < 7; i++)
        for (int j = i + 1; j < 13; j++) FLOW_SORT(q[i], q[j]);
      memcpy(to + x, q + 6, sizeof q[6]);
    }
    VARIANT(flow_edges)(to, width);
  }
}

/* The sums of absolute differences of a square of the first image and those of the second that begin at `q` and at the
 * 15 pixels on the right of it. */
static inline void VARIANT(flow_differences)(flow_lanes *sums, const float *p, const float *q, ptrdiff_t stride) {
  flow_lanes total = {0};
  for (int j = 0; j < CVK_FLOW_PATCH; j++, p += stride, q += stride)
    for (int i = 0; i < CVK_FLOW_PATCH; i++) {
      flow_lanes other;
      memcpy(&other, q + i, sizeof other);
      other -= p[i];
      total += (flow_lanes)((flow_masks)other & 0x7fffffff);
    }
  *sums = total;
}

void VARIANT(cvk_f32_flow_match)(float *u, float *v, const float *first, const float *second, int width, int height,
                                 float share, float least) {
  enum { PATCH = CVK_FLOW_PATCH, REACH = CVK_FLOW_REACH, CELL = PATCH / 2, INNER = PATCH / 4 };
  const ptrdiff_t stride = cvk_flow_stride(width);
  for (int y = 0; y + PATCH <= height; y += CELL)
    for (int x = 0; x + PATCH <= width; x += CELL) {
      const float *p = first + stride * y + x;
      const ptrdiff_t middle = stride * (y + PATCH / 2) + x + PATCH / 2;
      /* The present flow, at the nearest whole pixels that are within the image. */
      const float present_u = u[middle], present_v = v[middle];
      float to_x = (float)x + present_u + 0.5f, to_y = (float)y + present_v + 0.5f;
      const float right = (float)(width - PATCH), bottom = (float)(height - PATCH);
      to_x = to_x > 0 ? to_x : 0, to_x = to_x < right ? to_x : right;
      to_y = to_y > 0 ? to_y : 0, to_y = to_y < bottom ? to_y : bottom;
      flow_lanes sums;
      VARIANT(flow_differences)(&sums, p, second + stride * (int)to_y + (int)to_x, stride);
      const float limit = share * sums[0] - least;
      if (!(limit > 0)) continue;
      float best = limit;
      int best_x = 0, best_y = 0, is_found = 0;
      for (int dy = -REACH; dy < REACH; dy++) {
        if (y + dy < 0 || y + dy + PATCH > height) continue;
        VARIANT(flow_differences)(&sums, p, second + stride * (y + dy) + x - REACH, stride);
        for (int i = 0; i < 2 * REACH; i++) {
          const int dx = i - REACH;
          if (sums[i] < best && x + dx >= 0 && x + dx + PATCH <= width)
            best = sums[i], best_x = dx, best_y = dy, is_found = 1;
        }
      }
      if (!is_found) continue;
      /* The middle of the square, which is a cell of its own. */
      for (int j = 0; j < CELL; j++)
        for (int i = 0; i < CELL; i++) {
          const ptrdiff_t at = stride * (y + INNER + j) + x + INNER + i;
          u[at] = (float)best_x, v[at] = (float)best_y;
        }
    }
  for (int y = 0; y < height; y++) {
    VARIANT(flow_edges)(u + stride * y, width);
    VARIANT(flow_edges)(v + stride * y, width);
  }
}
