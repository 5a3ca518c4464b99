/* Image filters over the vectors of lanes.h. */

/* Four floats, the channels of a pixel. */
typedef float pixel4 __attribute__((vector_size(16)));

inline_always pixel4 load4(const float *p) {
  pixel4 v;
  memcpy(&v, p, sizeof v);
  return v;
}
#if CVK_X86 && defined(CVK_VECTOR_BITS)
#define FMA4(a, b, c) ((pixel4)_mm_fmadd_ps((__m128)(a), (__m128)(b), (__m128)(c)))
#elif CVK_ARM && defined(CVK_TEMPLATE)
#define FMA4(a, b, c) ((pixel4)vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b)))
#else
#define FMA4(a, b, c) ((a) * (b) + (c))
#endif

/* Adding this and subtracting it again rounds a float below 2^22 to the nearest integer, halves to even. */
#define ROUNDER 12582912.0f

/* Columns. Four rows of the result share their loads; the blocks of a cache line share the weights. Where fewer rows
 * are left, or fewer values, there is a row or a block at a time. */
enum { FILTER_ROWS = 4, FILTER_BLOCKS = LANES == 16 ? 4 : 2 };

#define ADD(row) \
  for (int b = 0; b < blocks; b++) sum[row][b] = FMA(value[b], weight, sum[row][b])
#define ADD_ROW(row, k) \
  do { \
    const vf weight = SPLAT(weights[k]); \
    ADD(row); \
  } while (0)
#define LOAD_VALUES(LOAD, LOAD_PART, k) \
  for (int b = 0; b < blocks; b++) \
  value[b] = count < LANES ? LOAD_PART(rows[k] + x, count) : LOAD(rows[k] + x + b * LANES)

#define FILTER_COLUMNS(type, LOAD, LOAD_PART) \
  inline_always void filter_columns_##type(float *dst, ptrdiff_t dst_stride, const type *const *rows, int x, \
                                           int count, int height, int blocks, const float *weights, int taps) { \
    vf sum[FILTER_ROWS][FILTER_BLOCKS], value[FILTER_BLOCKS]; \
    for (int y = 0; y < height; y++) \
      for (int b = 0; b < blocks; b++) sum[y][b] = SPLAT(0.0f); \
    for (int k = 0; k < taps + height - 1; k++) { \
      LOAD_VALUES(LOAD, LOAD_PART, k); \
      if (k >= height - 1 && k < taps) { \
        for (int y = 0; y < height; y++) ADD_ROW(y, k - y); \
      } else { \
        for (int y = 0; y < height; y++) \
          if (k >= y && k - y < taps) ADD_ROW(y, k - y); \
      } \
    } \
    for (int y = 0; y < height; y++) { \
      float *out = (float *)((char *)dst + y * dst_stride) + x; \
      for (int b = 0; b < blocks; b++) \
        if (count < LANES) store_part(out, sum[y][b], count); \
        else store(out + b * LANES, sum[y][b]); \
    } \
  } \
  inline_always void filter_all_columns_##type(float *dst, ptrdiff_t dst_stride, const type *const *rows, int width, \
                                               int height, const float *weights, int taps) { \
    const int block = FILTER_BLOCKS * LANES; \
    int x = 0; \
    for (; x + block <= width; x += block) \
      filter_columns_##type(dst, dst_stride, rows, x, LANES, height, FILTER_BLOCKS, weights, taps); \
    for (; x + LANES <= width; x += LANES) \
      filter_columns_##type(dst, dst_stride, rows, x, LANES, height, 1, weights, taps); \
    if (x < width) filter_columns_##type(dst, dst_stride, rows, x, width - x, height, 1, weights, taps); \
  } \
  inline_always void filter_rows_##type(float *dst, ptrdiff_t dst_stride, const type *const *rows, int width, \
                                        int height, const float *weights, int taps) { \
    int y = 0; \
    for (; y + FILTER_ROWS <= height; y += FILTER_ROWS) \
      filter_all_columns_##type((float *)((char *)dst + y * dst_stride), dst_stride, rows + y, width, FILTER_ROWS, \
                                weights, taps); \
    for (; y < height; y++) \
      filter_all_columns_##type((float *)((char *)dst + y * dst_stride), dst_stride, rows + y, width, 1, weights, \
                                taps); \
  }
FILTER_COLUMNS(uint8_t, load_bytes, load_bytes_part)
FILTER_COLUMNS(float, load, load_part)

void VARIANT(cvk_u8_filter_columns)(float *dst, ptrdiff_t dst_stride, const uint8_t *const *rows, int width, int height,
                                    const float *weights, int taps) {
  filter_rows_uint8_t(dst, dst_stride, rows, width, height, weights, taps);
}
void VARIANT(cvk_f32_filter_columns)(float *dst, ptrdiff_t dst_stride, const float *const *rows, int width, int height,
                                     const float *weights, int taps) {
  filter_rows_float(dst, dst_stride, rows, width, height, weights, taps);
}

void VARIANT(cvk_i32_box_columns)(int32_t *sums, const uint8_t *added, const uint8_t *removed, int width) {
  for (int x = 0; x < width; x++) sums[x] += added[x] - removed[x];
}

/* Straight lines of code without branches, which compilers turn into vectors. */
void VARIANT(cvk_u8_colour_matrix_c4)(uint8_t *dst, const uint8_t *src, int width, const float matrix[20]) {
  float m[20];
  for (int i = 0; i < 20; i++) m[i] = matrix[i];
  for (int x = 0; x < width; x++) {
    uint32_t pixel;
    memcpy(&pixel, src + 4 * x, 4);
    const float alpha = (float)(int32_t)(pixel >> 24), factor = (alpha > 0 ? 1.0f : 0.0f) / (alpha > 0 ? alpha : 1);
    const float a = (float)(int32_t)(pixel & 255) * factor, b = (float)(int32_t)(pixel >> 8 & 255) * factor;
    const float c = (float)(int32_t)(pixel >> 16 & 255) * factor, d = alpha * (1.0f / 255);
    float v[4];
    for (int i = 0; i < 4; i++)
      v[i] = m[5 * i] * a + m[5 * i + 1] * b + m[5 * i + 2] * c + m[5 * i + 3] * d + m[5 * i + 4];
    const float opacity = v[3] > 0 ? v[3] < 1 ? v[3] * 255 : 255 : 0;
    uint32_t result = (uint32_t)(int32_t)(opacity + ROUNDER - ROUNDER) << 24;
    for (int i = 0; i < 3; i++) {
      const float value = v[i] * opacity;
      const float limited = value > 0 ? value < 255 ? value : 255 : 0;
      result |= (uint32_t)(int32_t)(limited + ROUNDER - ROUNDER) << 8 * i;
    }
    memcpy(dst + 4 * x, &result, 4);
  }
}

void VARIANT(cvk_f32_colour_matrix_c4)(float *dst, const float *src, int width, const float matrix[20]) {
  pixel4 columns[5];
  for (int j = 0; j < 5; j++) columns[j] = (pixel4){matrix[j], matrix[5 + j], matrix[10 + j], matrix[15 + j]};
  for (int x = 0; x < width; x++) {
    const pixel4 pixel = load4(src + 4 * x);
    const float alpha = pixel[3], factor = alpha > 0 ? 1 / alpha : 0;
    pixel4 v = columns[0] * (pixel[0] * factor) + columns[1] * (pixel[1] * factor);
    v += columns[2] * (pixel[2] * factor) + columns[3] * (alpha > 0 ? alpha : 0) + columns[4];
    const float opacity = v[3] > 0 ? v[3] < 1 ? v[3] : 1 : 0;
    v *= opacity;
    v[3] = opacity;
    memcpy(dst + 4 * x, &v, 16);
  }
}

void VARIANT(cvk_u8_mask_c4)(uint8_t *dst, const uint8_t *front, const uint8_t *back, const uint8_t *mask, int width,
                             int channel) {
  const uint32_t half = 0x00ff00ff, round = 0x00800080;
  for (int x = 0; x < width; x++) {
    uint32_t f, b;
    memcpy(&f, front + 4 * x, 4);
    memcpy(&b, back + 4 * x, 4);
    const uint32_t m = mask[4 * x + channel], rest = 255 - m;
    /* Two channels in the halves of a word; adding a 256th and dividing by 256 divides by 255. */
    uint32_t even = (f & half) * m + (b & half) * rest + round;
    uint32_t odd = (f >> 8 & half) * m + (b >> 8 & half) * rest + round;
    even = (even + (even >> 8 & half)) >> 8 & half;
    odd = (odd + (odd >> 8 & half)) & ~half;
    const uint32_t result = even | odd;
    memcpy(dst + 4 * x, &result, 4);
  }
}
