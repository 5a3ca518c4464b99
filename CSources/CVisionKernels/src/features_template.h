/* Features of images, written once and compiled for every instruction set.
 *
 * They work on vectors of 16 numbers, which compilers split where registers are shorter; sums are added up in one
 * order, without contraction, so all variants give the same bits. A file of an instruction set defines
 * VARIANT(name), which makes the name of its variant, and includes this. */
enum { LANES = 16, SIDE = 16, DIRECTIONS = CVK_FEATURE_DIRECTIONS };
typedef float v16f __attribute__((vector_size(64)));
typedef int32_t v16i __attribute__((vector_size(64)));
typedef float v8f __attribute__((vector_size(32)));
typedef float v4f __attribute__((vector_size(16)));

/* Macros rather than functions: vectors wider than a register have no agreed way to be passed. */
#define LOAD(v, p) memcpy(&(v), p, sizeof(v))
#define STORE(p, v) memcpy(p, &(v), sizeof(v))
#define CHOOSE(mask, a, b) ((v16f)(((mask) & (v16i)(a)) | (~(mask) & (v16i)(b))))
#define KEEP(mask, a) ((v16f)((mask) & (v16i)(a)))
#define EVERY(x) ((v16f){0} + (x))
#define ABSOLUTE(v) ((v16f)((v16i)(v) & 0x7fffffff))
#define ADD_UP(total, v)                                                                                       \
  do {                                                                                                         \
    v8f by8 = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +                                          \
              __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);                                     \
    v4f by4 = __builtin_shufflevector(by8, by8, 0, 1, 2, 3) + __builtin_shufflevector(by8, by8, 4, 5, 6, 7);   \
    total = (by4[0] + by4[2]) + (by4[1] + by4[3]);                                                             \
  } while (0)

static const v16f feature_ramp = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const v16i feature_indices = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static inline const float *feature_row(const float *src, ptrdiff_t stride, int y) {
  return (const float *)(const void *)((const char *)src + y * stride);
}

void VARIANT(cvk_f32_blur)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int width,
                           int height, const float *weights, int radius, float *work) {
  float *line = work + 16;
  const float *rows[2 * CVK_BLUR_MOST + 1];
  for (int y = 0; y < height; y++) {
    for (int k = 0; k <= radius; k++) {
      rows[2 * k] = feature_row(src, src_stride, y - k > 0 ? y - k : 0);
      if (k > 0) rows[2 * k - 1] = feature_row(src, src_stride, y + k < height ? y + k : height - 1);
    }
    for (int x = 0; x < width; x += LANES) {
      v16f sum, a, b;
      LOAD(sum, rows[0] + x);
      sum *= weights[0];
      for (int k = 1; k <= radius; k++) {
        LOAD(a, rows[2 * k - 1] + x);
        LOAD(b, rows[2 * k] + x);
        sum += (a + b) * weights[k];
      }
      STORE(line + x, sum);
    }
    for (int k = 1; k <= CVK_BLUR_MOST; k++) line[-k] = line[0], line[width - 1 + k] = line[width - 1];
    float *to = (float *)(void *)((char *)dst + y * dst_stride);
    for (int x = 0; x < width; x += LANES) {
      v16f sum, a, b;
      LOAD(sum, line + x);
      sum *= weights[0];
      for (int k = 1; k <= radius; k++) {
        LOAD(a, line + x - k);
        LOAD(b, line + x + k);
        sum += (a + b) * weights[k];
      }
      STORE(to + x, sum);
    }
  }
}

void VARIANT(cvk_f32_every_second)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride,
                                   int width, int height) {
  for (int y = 0; y < height; y++) {
    const float *restrict from = feature_row(src, src_stride, 2 * y);
    float *restrict to = (float *)(void *)((char *)dst + y * dst_stride);
    for (int x = 0; x < width; x++) to[x] = from[2 * x];
  }
}

void VARIANT(cvk_f32_scale_extrema)(int32_t *dst, int most, const float *src, ptrdiff_t src_stride,
                                    ptrdiff_t plane_stride, int width, int height, int border, float least,
                                    float *work) {
  const int row = width + 64;
  const v16f high = EVERY(least), low = EVERY(-least);
  int count = 0, made = border - 1;
  dst[0] = 0;
  if (width <= 2 * border || height <= 2 * border) return;
  for (int y = border; y < height - border; y++) {
    for (; made <= y + 1; made++)
      for (int plane = 0; plane < 3; plane++) {
        const float *one = feature_row(src, src_stride, made) + plane * (plane_stride / (ptrdiff_t)sizeof(float));
        const float *next = one + plane_stride / (ptrdiff_t)sizeof(float);
        float *to = work + (3 * (made % 3) + plane) * row;
        for (int x = 0; x < width; x += LANES) {
          v16f a, b;
          LOAD(a, one + x);
          LOAD(b, next + x);
          b -= a;
          STORE(to + x, b);
        }
        memset(to + width, 0, LANES * sizeof(float)); /* lanes that do not count are read */
      }
    const float *rows[9];
    for (int k = 0; k < 9; k++) rows[k] = work + (3 * ((y + k / 3 - 1) % 3) + k % 3) * row;
    for (int x = border; x < width - border; x += LANES) {
      v16f v, n;
      LOAD(v, rows[4] + x);
      v16i above = v > high, below = v < low, is_counted = feature_indices < width - border - x;
      above &= is_counted, below &= is_counted;
      if (!__builtin_reduce_or(above | below)) continue;
      /* The row itself first: few pixels are left for the others. */
      static const int8_t order[9] = {4, 1, 7, 3, 5, 0, 2, 6, 8};
      for (int k = 0; k < 9; k++) {
        const float *p = rows[order[k]] + x;
        LOAD(n, p - 1);
        above &= v > n, below &= v < n;
        LOAD(n, p + 1);
        above &= v > n, below &= v < n;
        if (k > 0) {
          LOAD(n, p);
          above &= v > n, below &= v < n;
        }
        if (!__builtin_reduce_or(above | below)) break;
      }
      v16i found = above | below;
      if (!__builtin_reduce_or(found)) continue;
      for (int i = 0; i < LANES; i++)
        if (found[i] && count < most) dst[1 + count++] = y * width + x + i;
    }
  }
  dst[0] = count;
}

/* Samples the 16 x 16 positions of a feature bilinearly into `patch`. */
static void VARIANT(feature_sample)(float *patch, const float *src, ptrdiff_t src_stride, int width, int height,
                                    const cvk_feature *feature) {
  const ptrdiff_t stride = src_stride / (ptrdiff_t)sizeof(float);
  const v16f zero = {0}, right = EVERY((float)(width - 1)), bottom = EVERY((float)(height - 1));
  const v16i last_x = (v16i){0} + (width - 2), last_y = (v16i){0} + (height - 2);
  const v16f across = feature_ramp - 7.5f;
  for (int j = 0; j < SIDE; j++) {
    const float down = (float)j - 7.5f;
    v16f x = across * feature->along_x + (feature->x - down * feature->along_y);
    v16f y = across * feature->along_y + (feature->y + down * feature->along_x);
    v16i is_before = x > zero, is_behind = x < right;
    x = CHOOSE(is_behind, KEEP(is_before, x), right);
    is_before = y > zero, is_behind = y < bottom;
    y = CHOOSE(is_behind, KEEP(is_before, y), bottom);
    v16i column = __builtin_convertvector(x, v16i), line = __builtin_convertvector(y, v16i), beyond;
    beyond = column > last_x, column = (beyond & last_x) | (~beyond & column);
    beyond = line > last_y, line = (beyond & last_y) | (~beyond & line);
    x -= __builtin_convertvector(column, v16f);
    y -= __builtin_convertvector(line, v16f);
    float a[LANES], b[LANES], c[LANES], d[LANES];
    for (int k = 0; k < LANES; k++) {
      const float *p = src + line[k] * stride + column[k];
      a[k] = p[0], b[k] = p[1], c[k] = p[stride], d[k] = p[stride + 1];
    }
    v16f va, vb, vc, vd;
    LOAD(va, a);
    LOAD(vb, b);
    LOAD(vc, c);
    LOAD(vd, d);
    v16f up = va + (vb - va) * x, low = vc + (vd - vc) * x, value = up + (low - up) * y;
    STORE(patch + j * SIDE, value);
  }
}

/* A Gaussian over the patch, 0 at its rim, for directions: 1.5 times the feature's scale is 2.33 samples. */
static const float direction_window[SIDE] = {
    0,         0.020649f, 0.062159f, 0.155720f, 0.324652f, 0.563279f, 0.813318f, 0.977302f,
    0.977302f, 0.813318f, 0.563279f, 0.324652f, 0.155720f, 0.062159f, 0.020649f, 0};

/* What a sample gives to each of four parts along an axis, which are 3.5 samples wide: linear in between, times a
 * Gaussian of 7 samples; nothing at the rim, where there is no gradient. */
static const float part_window[4][SIDE] = {
    {0, 0.417715f, 0.681962f, 0.639036f, 0.441248f, 0.201046f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0.174283f, 0.441248f, 0.737169f, 0.907495f, 0.641219f, 0.356233f, 0.069807f, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0.069807f, 0.356233f, 0.641219f, 0.907495f, 0.737169f, 0.441248f, 0.174283f, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.201046f, 0.441248f, 0.639036f, 0.681962f, 0.417715f, 0}};

void VARIANT(cvk_f32_feature_directions)(float *dst, const float *src, ptrdiff_t src_stride, int width, int height,
                                         const cvk_feature *features, int count) {
  float padded[SIDE * SIDE + 2 * LANES];
  float *patch = padded + LANES;
  memset(padded, 0, sizeof padded);
  v16f window;
  LOAD(window, direction_window);
  for (int f = 0; f < count; f++, dst += DIRECTIONS) {
    VARIANT(feature_sample)(patch, src, src_stride, width, height, features + f);
    memset(dst, 0, DIRECTIONS * sizeof *dst);
    for (int j = 1; j < SIDE - 1; j++) {
      const float *p = patch + j * SIDE;
      v16f gx, gy, n;
      LOAD(gx, p + 1);
      LOAD(n, p - 1);
      gx -= n;
      LOAD(gy, p + SIDE);
      LOAD(n, p - SIDE);
      gy -= n;
      v16f ax = ABSOLUTE(gx), ay = ABSOLUTE(gy);
      v16i is_flat = ax >= ay;
      v16f large = CHOOSE(is_flat, ax, ay), small = CHOOSE(is_flat, ay, ax);
      v16f size = (large + 0.4142136f * small) * (window * direction_window[j]);
      /* The angle by a polynomial, then by the octant. */
      v16f t = small / (large + 1e-20f), s = t * t;
      v16f angle = ((-0.0464964749f * s + 0.15931422f) * s - 0.327622764f) * s * t + t;
      angle = CHOOSE(is_flat, angle, 1.57079633f - angle);
      v16i is_left = gx < 0, is_up = gy < 0;
      angle = CHOOSE(is_left, 3.14159265f - angle, angle);
      angle = CHOOSE(is_up, 6.28318531f - angle, angle);
      v16f position = angle * (DIRECTIONS / 6.28318531f);
      v16i lower = __builtin_convertvector(position, v16i);
      v16f rest = (position - __builtin_convertvector(lower, v16f)) * size, first = size - rest;
      for (int k = 1; k < SIDE - 1; k++) {
        const int part = lower[k] % DIRECTIONS;
        dst[part] += first[k];
        dst[part + 1 < DIRECTIONS ? part + 1 : 0] += rest[k];
      }
    }
  }
}

/* Brings sums of gradients to bytes: limited to a fifth of their length, then the roots of their shares. */
static void VARIANT(feature_bytes)(uint8_t *dst, const float *sums) {
  enum { VECTORS = CVK_FEATURE_BYTES / LANES };
  v16f v[VECTORS], total = {0};
  float squares, sum;
  for (int i = 0; i < VECTORS; i++) {
    LOAD(v[i], sums + i * LANES);
    total += v[i] * v[i];
  }
  ADD_UP(squares, total);
  if (!(squares > 1e-6f)) {
    memset(dst, 0, CVK_FEATURE_BYTES);
    return;
  }
  const v16f limit = EVERY(0.2f * __builtin_elementwise_sqrt(squares));
  total = (v16f){0};
  for (int i = 0; i < VECTORS; i++) {
    v16i is_below = v[i] < limit;
    v[i] = CHOOSE(is_below, v[i], limit);
    total += v[i];
  }
  ADD_UP(sum, total);
  const float scale = 288.0f * 288.0f / sum;
  for (int i = 0; i < VECTORS; i++) {
    v16f root = __builtin_elementwise_sqrt(v[i] * scale) + 0.5f;
    v16i is_below = root < EVERY(127.0f);
    root = CHOOSE(is_below, root, EVERY(127.0f));
    v16i whole = __builtin_convertvector(root, v16i);
    for (int k = 0; k < LANES; k++) dst[i * LANES + k] = (uint8_t)whole[k];
  }
}

void VARIANT(cvk_u8_feature_describe)(uint8_t *dst, const float *src, ptrdiff_t src_stride, int width, int height,
                                      const cvk_feature *features, int count) {
  float padded[SIDE * SIDE + 2 * LANES], sums[CVK_FEATURE_BYTES];
  float *patch = padded + LANES;
  memset(padded, 0, sizeof padded);
  v16f windows[4];
  for (int c = 0; c < 4; c++) LOAD(windows[c], part_window[c]);
  for (int f = 0; f < count; f++, dst += CVK_FEATURE_BYTES) {
    VARIANT(feature_sample)(patch, src, src_stride, width, height, features + f);
    v16f parts[4][8];
    memset(parts, 0, sizeof parts);
    for (int j = 1; j < SIDE - 1; j++) {
      const float *p = patch + j * SIDE;
      v16f gx, gy, n;
      LOAD(gx, p + 1);
      LOAD(n, p - 1);
      gx -= n;
      LOAD(gy, p + SIDE);
      LOAD(n, p - SIDE);
      gy -= n;
      /* A gradient is the sum of one along an axis and one along a diagonal, the two next to it. */
      v16f ax = ABSOLUTE(gx), ay = ABSOLUTE(gy);
      v16i is_flat = ax >= ay, is_right = gx > 0, is_down = gy > 0;
      v16f axis = CHOOSE(is_flat, ax - ay, ay - ax), diagonal = 1.41421356f * CHOOSE(is_flat, ay, ax);
      const v16f values[8] = {KEEP(is_flat & is_right, axis),    KEEP(is_right & is_down, diagonal),
                              KEEP(~is_flat & is_down, axis),    KEEP(~is_right & is_down, diagonal),
                              KEEP(is_flat & ~is_right, axis),   KEEP(~is_right & ~is_down, diagonal),
                              KEEP(~is_flat & ~is_down, axis),   KEEP(is_right & ~is_down, diagonal)};
      for (int c = 0; c < 4; c++) {
        const float weight = part_window[c][j];
        if (weight == 0) continue;
        for (int k = 0; k < 8; k++) parts[c][k] += values[k] * weight;
      }
    }
    for (int c = 0; c < 4; c++)
      for (int k = 0; k < 8; k++)
        for (int d = 0; d < 4; d++) {
          v16f part = parts[c][k] * windows[d];
          ADD_UP(sums[(c * 4 + d) * 8 + k], part);
        }
    VARIANT(feature_bytes)(dst, sums);
  }
}

void VARIANT(cvk_s32_feature_best)(int32_t *dst, const int32_t *products, int count, const float *x,
                                   const float *y, float at_x, float at_y, float gate, float apart,
                                   int32_t *column, int32_t *column_own, int own) {
  const v16f wide = EVERY(gate * gate), far = EVERY(apart * apart);
  v16i best = {0}, index = (v16i){0} - 1;
  for (int i = 0; i < count; i += LANES) {
    v16i v, known, owner;
    v16f dx, dy;
    LOAD(v, products + i);
    LOAD(dx, x + i);
    LOAD(dy, y + i);
    dx -= at_x, dy -= at_y;
    v16i is_within = dx * dx + dy * dy <= wide;
    v &= is_within;
    v16i is_better = v > best;
    best = (is_better & v) | (~is_better & best);
    index = (is_better & (feature_indices + i)) | (~is_better & index);
    LOAD(known, column + i);
    is_better = v > known;
    if (!__builtin_reduce_or(is_better)) continue;
    LOAD(owner, column_own + i);
    known = (is_better & v) | (~is_better & known);
    owner = (is_better & own) | (~is_better & owner);
    STORE(column + i, known);
    STORE(column_own + i, owner);
  }
  int32_t most = 0, at = -1, second = 0;
  for (int k = 0; k < LANES; k++)
    if (best[k] > most || (best[k] == most && index[k] >= 0 && index[k] < at)) most = best[k], at = index[k];
  if (at >= 0) {
    const float best_x = x[at], best_y = y[at];
    best = (v16i){0};
    for (int i = 0; i < count; i += LANES) {
      v16i v;
      v16f dx, dy, from_x, from_y;
      LOAD(v, products + i);
      LOAD(dx, x + i);
      LOAD(dy, y + i);
      from_x = dx - best_x, from_y = dy - best_y;
      dx -= at_x, dy -= at_y;
      v16i counts = (dx * dx + dy * dy <= wide) & (from_x * from_x + from_y * from_y > far);
      v &= counts;
      v16i is_better = v > best;
      best = (is_better & v) | (~is_better & best);
    }
    for (int k = 0; k < LANES; k++)
      if (best[k] > second) second = best[k];
  }
  dst[0] = at, dst[1] = most, dst[2] = second;
}

void VARIANT(cvk_f32_homography_scores)(float *dst, const float *maps, int map_count, const float *x,
                                        const float *y, const float *u, const float *v, const float *w, int count,
                                        float limit) {
  const float sharpness = 1 / (limit * limit);
  const v16f zero = {0};
  for (int m = 0; m < map_count; m++, maps += 9) {
    v16f sum = {0};
    for (int i = 0; i < count; i += LANES) {
      v16f px, py, pu, pv, pw;
      LOAD(px, x + i);
      LOAD(py, y + i);
      LOAD(pu, u + i);
      LOAD(pv, v + i);
      LOAD(pw, w + i);
      v16f depth = maps[6] * px + maps[7] * py + maps[8];
      v16f dx = (maps[0] * px + maps[1] * py + maps[2]) / depth - pu;
      v16f dy = (maps[3] * px + maps[4] * py + maps[5]) / depth - pv;
      v16f good = 1 - (dx * dx + dy * dy) * sharpness;
      v16i counts = (good > zero) & (depth > zero);
      sum += KEEP(counts, good) * pw;
    }
    ADD_UP(dst[m], sum);
  }
}
