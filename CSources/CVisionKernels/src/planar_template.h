/* Kernels that align planar patches, written once and compiled for every instruction set.
 *
 * They work on vectors of 16 floats, a cell wide, which compilers split where registers are shorter; sums have a lane
 * for each column of a cell and are added up in one order, without contraction, so all variants give the same bits. A
 * file of an instruction set defines VARIANT(name), which makes the name of its variant, and includes this. */
enum { CELL = CVK_PLANAR_CELL };
typedef float v16f __attribute__((vector_size(64)));
typedef int32_t v16i __attribute__((vector_size(64)));
typedef float v8f __attribute__((vector_size(32)));
typedef float v4f __attribute__((vector_size(16)));
typedef uint8_t v8b __attribute__((vector_size(8)));

/* Macros rather than functions: vectors wider than a register have no agreed way to be passed. */
#define LOAD(v, p) memcpy(&(v), p, sizeof(v16f))
#define STORE(p, v) memcpy(p, &(v), sizeof(v16f))
#define CHOOSE(mask, a, b) ((v16f)(((mask) & (v16i)(a)) | (~(mask) & (v16i)(b))))
#define EVERY(x) ((v16f){0} + (x))
#define ADD_UP(total, v)                                                                               \
  do {                                                                                                 \
    v8f by8 = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +                                  \
              __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);                             \
    v4f by4 = __builtin_shufflevector(by8, by8, 0, 1, 2, 3) + __builtin_shufflevector(by8, by8, 4, 5, 6, 7); \
    total = (by4[0] + by4[2]) + (by4[1] + by4[3]);                                                     \
  } while (0)

/* Clamps positions to the image and splits them into the first of two columns or rows and the part of the second. A
 * NaN is not above zero. */
#define SPLIT(whole, part, end, last)                                     \
  do {                                                                    \
    v16i above = (part) > zero, before = (part) < EVERY(end);             \
    (part) = CHOOSE(above, part, zero), (part) = CHOOSE(before, part, EVERY(end)); \
    (whole) = __builtin_convertvector(part, v16i);                        \
    v16i beyond = (whole) > (last);                                       \
    (whole) = (beyond & (last)) | (~beyond & (whole));                    \
    (part) -= __builtin_convertvector(whole, v16f);                       \
  } while (0)

static const v16f planar_ramp = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

void VARIANT(cvk_u8_planar_sample)(float *dst, float *inside, const uint8_t *src, ptrdiff_t src_stride, int width,
                                   int height, int columns, int rows, const cvk_planar_map *map) {
  const double *m = map->m;
  const float right = (float)(width - 1), bottom = (float)(height - 1);
  const v16f zero = {0}, one = zero + 1;
  const v16i last_x = (v16i){0} + (width - 2), last_y = (v16i){0} + (height - 2);
  for (int j = 0; j < rows; j++) {
    const float x0 = (float)(m[1] * j + m[2]), y0 = (float)(m[4] * j + m[5]), w0 = (float)(m[7] * j + m[8]);
    const float dx = (float)m[0], dy = (float)m[3], dw = (float)m[6];
    for (int i = 0; i < columns; i += CELL, dst += CELL, inside += CELL) {
      v16f at = planar_ramp + (float)i, w = at * dw + w0;
      v16f x = (at * dx + x0) / w, y = (at * dy + y0) / w;
      v16i is_inside = (w > zero) & (x >= zero) & (y >= zero) & (x <= EVERY(right)) & (y <= EVERY(bottom));
      v16f in = CHOOSE(is_inside, one, zero);
      STORE(inside, in);
      v16i column, row;
      SPLIT(column, x, right, last_x);
      SPLIT(row, y, bottom, last_y);
      int32_t columns_of[CELL], rows_of[CELL];
      uint32_t squares[CELL];
      memcpy(columns_of, &column, sizeof column);
      memcpy(rows_of, &row, sizeof row);
      for (int k = 0; k < CELL; k++) {
        const uint8_t *p = src + rows_of[k] * src_stride + columns_of[k];
        uint16_t upper, lower;
        memcpy(&upper, p, 2);
        memcpy(&lower, p + src_stride, 2);
        squares[k] = upper | (uint32_t)lower << 16;
      }
      v16i square;
      memcpy(&square, squares, sizeof square);
      v16f a = __builtin_convertvector(square & 255, v16f), b = __builtin_convertvector((square >> 8) & 255, v16f);
      v16f c = __builtin_convertvector((square >> 16) & 255, v16f),
           d = __builtin_convertvector((square >> 24) & 255, v16f);
      v16f up = a + (b - a) * x, down = c + (d - c) * x, value = up + (down - up) * y;
      STORE(dst, value);
    }
  }
}

void VARIANT(cvk_u8_planar_picture)(float *dst, const uint8_t *src, ptrdiff_t src_stride, int width, int height,
                                    int columns, int rows, const cvk_planar_map *map, float scale, float bias) {
  const double *m = map->m;
  const float right = (float)(width - 1), bottom = (float)(height - 1);
  const v16f zero = {0};
  const v16i last_x = (v16i){0} + (width - 2), last_y = (v16i){0} + (height - 2);
  for (int j = 0; j < rows; j++) {
    const float x0 = (float)(m[1] * j + m[2]), y0 = (float)(m[4] * j + m[5]), w0 = (float)(m[7] * j + m[8]);
    const float dx = (float)m[0], dy = (float)m[3], dw = (float)m[6];
    for (int i = 0; i < columns; i += CELL, dst += 3 * CELL) {
      v16f at = planar_ramp + (float)i, w = at * dw + w0;
      v16f x = (at * dx + x0) / w, y = (at * dy + y0) / w;
      v16i column, row;
      SPLIT(column, x, right, last_x);
      SPLIT(row, y, bottom, last_y);
      int32_t columns_of[CELL], rows_of[CELL];
      float right_of[CELL], below[CELL], colours[3 * CELL + 1];
      memcpy(columns_of, &column, sizeof column);
      memcpy(rows_of, &row, sizeof row);
      memcpy(right_of, &x, sizeof x);
      memcpy(below, &y, sizeof y);
      /* A pixel at a time, its channels side by side; the fourth is written over by the next pixel. */
      for (int k = 0; k < CELL; k++) {
        const uint8_t *p = src + rows_of[k] * src_stride + (ptrdiff_t)columns_of[k] * 4;
        v8b upper, lower;
        memcpy(&upper, p, 8);
        memcpy(&lower, p + src_stride, 8);
        v8f up = __builtin_convertvector(upper, v8f), down = __builtin_convertvector(lower, v8f);
        v8f both = up + (down - up) * below[k];
        v4f a = __builtin_shufflevector(both, both, 0, 1, 2, 3), b = __builtin_shufflevector(both, both, 4, 5, 6, 7);
        v4f colour = (a + (b - a) * right_of[k]) * scale + bias;
        memcpy(colours + 3 * k, &colour, sizeof colour);
      }
      memcpy(dst, colours, 3 * CELL * sizeof(float));
    }
  }
}

void VARIANT(cvk_f32_planar_cells)(float *sums, const float *image, const float *model, const float *inside,
                                   int columns, int rows) {
  for (int y = 0; y < rows; y += CELL)
    for (int x = 0; x < columns; x += CELL) {
      v16f n = {0}, a = {0}, b = {0}, aa = {0}, ab = {0}, bb = {0};
      for (int j = 0; j < CELL; j++) {
        ptrdiff_t at = (ptrdiff_t)(y + j) * columns + x;
        v16f p, q, w;
        LOAD(p, image + at);
        LOAD(q, model + at);
        LOAD(w, inside + at);
        p -= 128, q -= 128;
        v16f wp = w * p, wq = w * q;
        n += w, a += wp, b += wq, aa += wp * p, ab += wp * q, bb += wq * q;
      }
      ADD_UP(sums[0], n);
      ADD_UP(sums[1], a);
      ADD_UP(sums[2], b);
      ADD_UP(sums[3], aa);
      ADD_UP(sums[4], bb);
      ADD_UP(sums[5], ab);
      sums += CVK_PLANAR_CELL_SUMS;
    }
}

/* What a sample of a cell takes of the cell before, of its own and of the one behind. */
static const v16f planar_before = {.46875f, .40625f, .34375f, .28125f, .21875f, .15625f, .09375f, .03125f};
static const v16f planar_behind =
    {0, 0, 0, 0, 0, 0, 0, 0, .03125f, .09375f, .15625f, .21875f, .28125f, .34375f, .40625f, .46875f};

/* The values of a row of cells at a row of samples. */
static void VARIANT(cells_at)(float *dst, const float *cells, int across, int down, int y) {
  int cell = y / CELL, beside = y % CELL < CELL / 2 ? cell - 1 : cell + 1;
  float part = planar_before[y % CELL] + planar_behind[y % CELL];
  beside = beside < 0 ? 0 : beside >= down ? down - 1 : beside;
  for (int i = 0; i < across; i++)
    dst[i] = cells[cell * across + i] + (cells[beside * across + i] - cells[cell * across + i]) * part;
}

void VARIANT(cvk_f32_planar_relight)(float *dst, const float *image, int columns, int rows, const float *gains,
                                     const float *biases) {
  enum { MOST = CVK_PLANAR_MOST / CELL };
  float gain[MOST], bias[MOST];
  const int across = columns / CELL, down = rows / CELL;
  for (int y = 0; y < rows; y++) {
    VARIANT(cells_at)(gain, gains, across, down, y);
    VARIANT(cells_at)(bias, biases, across, down, y);
    for (int c = 0; c < across; c++) {
      const int before = c > 0 ? c - 1 : 0, behind = c < across - 1 ? c + 1 : c;
      const ptrdiff_t at = (ptrdiff_t)y * columns + c * CELL;
      v16f p;
      LOAD(p, image + at);
      v16f g = gain[c] + (gain[before] - gain[c]) * planar_before + (gain[behind] - gain[c]) * planar_behind;
      v16f b = bias[c] + (bias[before] - bias[c]) * planar_before + (bias[behind] - bias[c]) * planar_behind;
      p = p * g + b;
      STORE(dst + at, p);
    }
  }
}

void VARIANT(cvk_f32_planar_residual)(float *mean, float *residual, float *weight, const float *image,
                                      const float *model, const float *inside, int columns, int rows,
                                      const float *cells, float cutoff) {
  const int across = columns / CELL;
  const float sharpness = 1 / cutoff;
  const v16f zero = {0};
  const v16i not_first = {0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  const v16i not_last = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0};
  for (int y = 0; y < rows; y++)
    for (int c = 0; c < across; c++) {
      const ptrdiff_t at = (ptrdiff_t)y * columns + c * CELL;
      v16f p, q, in;
      LOAD(p, image + at);
      LOAD(q, model + at);
      LOAD(in, inside + at);
      v16f e = p - q, half = (p + q) * 0.5f, r = e * sharpness, t = 1 - r * r;
      v16i positive = t > zero;
      t = CHOOSE(positive, t, zero);
      v16f w = in * cells[(y / CELL) * across + c] * (t * t);
      if (y == 0 || y == rows - 1) w = zero;
      if (c == 0) w = CHOOSE(not_first, w, zero);
      if (c == across - 1) w = CHOOSE(not_last, w, zero);
      STORE(mean + at, half);
      STORE(residual + at, e);
      STORE(weight + at, w);
    }
}

/* Adds a row's sums of q x^i to the moments of a group with i + j <= degree. */
static void VARIANT(add_moments)(double *dst, const float *sums, int degree, double y) {
  double power = 1;
  for (int j = 0; j <= degree; j++, power *= y)
    for (int i = 0; i <= degree - j; i++) *dst++ += (double)sums[i] * power;
}

void VARIANT(cvk_f32_planar_moments)(double *dst, const float *mean, const float *residual, const float *weight,
                                     int columns, int rows) {
  const float scale_x = (float)columns * 0.25f, scale_y = (float)rows * 0.25f, step = 2.0f / (float)columns;
  memset(dst, 0, CVK_PLANAR_MOMENTS * sizeof(double));
  /* The rim has no weight; left out are its rows, and its columns take their neighbours from the rows beside. */
  for (int y = 1; y < rows - 1; y++) {
    v16f aa[5] = {{0}}, ab[5] = {{0}}, bb[5] = {{0}}, ea[3] = {{0}}, eb[3] = {{0}};
    for (int i = 0; i < columns; i += CELL) {
      const float *p = mean + (ptrdiff_t)y * columns + i;
      v16f before, behind, above, below, e, w;
      LOAD(before, p - 1);
      LOAD(behind, p + 1);
      LOAD(above, p - columns);
      LOAD(below, p + columns);
      LOAD(e, residual + (ptrdiff_t)y * columns + i);
      LOAD(w, weight + (ptrdiff_t)y * columns + i);
      v16f x = (planar_ramp + ((float)i + 0.5f)) * step - 1;
      v16f a = (behind - before) * scale_x, b = (below - above) * scale_y, wa = w * a, wb = w * b;
      v16f f = wa * a, g = wa * b, h = wb * b;
      for (int k = 0; k < 5; k++) {
        aa[k] += f, ab[k] += g, bb[k] += h;
        f *= x, g *= x, h *= x;
      }
      f = wa * e, g = wb * e;
      for (int k = 0; k < 3; k++) {
        ea[k] += f, eb[k] += g;
        f *= x, g *= x;
      }
    }
    const double v = (2.0 * y + 1) / rows - 1;
    float sums[5];
    for (int k = 0; k < 5; k++) ADD_UP(sums[k], aa[k]);
    VARIANT(add_moments)(dst, sums, 4, v);
    for (int k = 0; k < 5; k++) ADD_UP(sums[k], ab[k]);
    VARIANT(add_moments)(dst + 15, sums, 4, v);
    for (int k = 0; k < 5; k++) ADD_UP(sums[k], bb[k]);
    VARIANT(add_moments)(dst + 30, sums, 4, v);
    for (int k = 0; k < 3; k++) ADD_UP(sums[k], ea[k]);
    VARIANT(add_moments)(dst + 45, sums, 2, v);
    for (int k = 0; k < 3; k++) ADD_UP(sums[k], eb[k]);
    VARIANT(add_moments)(dst + 51, sums, 2, v);
  }
}

void VARIANT(cvk_u8_corner_score)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                  int width, int height) {
  static const int8_t circle[8][2] = {{3, 0}, {3, 1}, {2, 2}, {1, 3}, {0, 3}, {-1, 3}, {-2, 2}, {-3, 1}};
  for (int y = 0; y < height; y++, dst += dst_stride) {
    memset(dst, 0, (size_t)width);
    if (y < 3 || y >= height - 3 || width < 7) continue;
    const uint8_t *restrict centre = src + y * src_stride;
    uint8_t *restrict to = dst;
    memset(to + 3, 255, (size_t)(width - 6));
    for (int k = 0; k < 8; k++) {
      const ptrdiff_t end = circle[k][1] * src_stride + circle[k][0];
      const uint8_t *one = centre + end, *other = centre - end;
      for (int x = 3; x < width - 3; x++) {
        uint8_t c = centre[x], a = one[x], b = other[x];
        uint8_t from_a = (uint8_t)((a > c ? a : c) - (a > c ? c : a)),
                from_b = (uint8_t)((b > c ? b : c) - (b > c ? c : b));
        uint8_t more = from_a > from_b ? from_a : from_b;
        to[x] = to[x] < more ? to[x] : more;
      }
    }
  }
}

void VARIANT(cvk_u8_local_maxima)(int32_t *dst, int most, const uint8_t *src, ptrdiff_t src_stride, int width,
                                  int height, int least) {
  enum { BLOCK = 64 };
  int count = 0;
  const uint8_t low = (uint8_t)least;
  for (int y = 1; y < height - 1; y++) {
    const uint8_t *here = src + y * src_stride, *above = here - src_stride, *below = here + src_stride;
    for (int from = 1; from < width - 1; from += BLOCK) {
      const int length = from + BLOCK < width - 1 ? BLOCK : width - 1 - from;
      const uint8_t *h = here + from, *a = above + from, *b = below + from;
      uint8_t flags[BLOCK], any = 0;
      for (int x = 0; x < length; x++) {
        const uint8_t v = h[x];
        flags[x] = (uint8_t)((v >= low) & (v > a[x - 1]) & (v > a[x]) & (v > a[x + 1]) & (v > h[x - 1]) &
                             (v >= h[x + 1]) & (v >= b[x - 1]) & (v >= b[x]) & (v >= b[x + 1]));
        any |= flags[x];
      }
      if (!any) continue;
      /* Eight flags at a time: also among many corners most are 0. */
      for (int x = 0; x < length; x += 8) {
        uint64_t eight = 0;
        memcpy(&eight, flags + x, (size_t)(length - x < 8 ? length - x : 8));
        for (; eight; eight &= eight - 1) {
          if (count == most) goto full;
          dst[1 + count++] = y * width + from + x + __builtin_ctzll(eight) / 8;
        }
      }
    }
  }
full:
  dst[0] = count;
}
