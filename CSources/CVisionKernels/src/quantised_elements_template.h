/* Element-wise operations and pooling of 8-bit networks. Plain loops: compilers make vectors of each instruction set of
 * them, and as no product is contracted with a sum all variants round alike. */

/* The nearest whole number, halves to the even neighbour, of a value below 2^22: there floats from 2^23 on have no room
 * left for a fraction. */
static inline float nearest(float value) { return (value + 12582912.0f) - 12582912.0f; }

/* In this form a NaN becomes `least`. */
static inline float between(float value, float least, float most) {
  value = value > least ? value : least;
  return value < most ? value : most;
}

/* The values that stay within bytes after the zero point is added; whole numbers, so that rounding keeps to them. */
#define LEAST(output) ((float)((output)->low - (output)->zero_point))
#define MOST(output) ((float)((output)->high - (output)->zero_point))

void VARIANT(cvk_f32_quantise)(uint8_t *dst, const float *src, size_t count, float scale, int zero_point, int flip) {
  const float least = (float)-zero_point, most = (float)(255 - zero_point);
  for (size_t i = 0; i < count; i++)
    dst[i] = (uint8_t)(((int)nearest(between(src[i] / scale, least, most)) + zero_point) ^ flip);
}

void VARIANT(cvk_f32_quantise_planes)(uint8_t *dst, const float *src, ptrdiff_t plane, ptrdiff_t pixels, int channels,
                                      float scale, int zero_point) {
  enum { PIXELS = 64 };
  uint8_t bytes[3][PIXELS];
  for (ptrdiff_t i = 0; i < pixels; i += PIXELS, dst += PIXELS * (ptrdiff_t)channels) {
    int n = pixels - i < PIXELS ? (int)(pixels - i) : PIXELS, c = 0;
    /* Three planes, as most images have, are put together in one go, others one after another. */
    for (; c + 3 <= channels; c += 3) {
      for (int k = 0; k < 3; k++)
        VARIANT(cvk_f32_quantise)(bytes[k], src + (c + k) * plane + i, (size_t)n, scale, zero_point, 0);
      for (int x = 0; x < n; x++) {
        uint8_t *pixel = dst + x * (ptrdiff_t)channels + c;
        pixel[0] = bytes[0][x], pixel[1] = bytes[1][x], pixel[2] = bytes[2][x];
      }
    }
    for (; c < channels; c++) {
      VARIANT(cvk_f32_quantise)(bytes[0], src + c * plane + i, (size_t)n, scale, zero_point, 0);
      for (int x = 0; x < n; x++) dst[x * (ptrdiff_t)channels + c] = bytes[0][x];
    }
  }
}

void VARIANT(cvk_u8_dequantise)(float *dst, const uint8_t *src, size_t count, float scale, int zero_point, int flip) {
  for (size_t i = 0; i < count; i++) dst[i] = (float)((src[i] ^ flip) - zero_point) * scale;
}

/* The result may be one of the inputs: chunks of it are made separately, or compilers would have to take one byte at a
 * time. */
enum { CHUNK = 64 };
#define EACH_CHUNK(width, body) \
  do { \
    int x = 0; \
    for (; x + CHUNK <= (width); x += CHUNK) { \
      uint8_t made[CHUNK]; \
      for (int i = 0; i < CHUNK; i++) made[i] = body(a[x + i], b[x + i]); \
      __builtin_memcpy(dst + x, made, CHUNK); \
    } \
    for (; x < (width); x++) dst[x] = body(a[x], b[x]); \
  } while (0)

void VARIANT(cvk_u8_add)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b,
                         ptrdiff_t b_stride, int width, int height, float scale_a, int zero_a, float scale_b,
                         int zero_b, const cvk_q8_output *output) {
  const float least = LEAST(output), most = MOST(output);
  const int zero = output->zero_point;
#define SUM(a, b) \
  (uint8_t)((int)nearest(between((float)((a) - zero_a) * scale_a + (float)((b) - zero_b) * scale_b, least, most)) + \
            zero)
  for (int y = 0; y < height; y++, dst += dst_stride, a += a_stride, b += b_stride) EACH_CHUNK(width, SUM);
#undef SUM
}

void VARIANT(cvk_u8_multiply)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *a, ptrdiff_t a_stride,
                              const uint8_t *b, ptrdiff_t b_stride, int width, int height, float scale, int zero_a,
                              int zero_b, const cvk_q8_output *output) {
  const float least = LEAST(output), most = MOST(output);
  const int zero = output->zero_point;
#define PRODUCT(a, b) \
  (uint8_t)((int)nearest(between((float)(((a) - zero_a) * ((b) - zero_b)) * scale, least, most)) + zero)
  for (int y = 0; y < height; y++, dst += dst_stride, a += a_stride, b += b_stride) EACH_CHUNK(width, PRODUCT);
#undef PRODUCT
}

/* The columns of window x that lie inside: first and how many, a dilation apart. */
static inline int columns_inside(const cvk_q8_pooling *g, int x, int *first) {
  int ix = x * g->stride_x - g->pad_left, skipped = ix < 0 ? (-ix + g->dilation_x - 1) / g->dilation_x : 0;
  *first = ix + skipped * g->dilation_x;
  if (*first >= g->in_width || skipped >= g->kernel_width) return 0;
  int fit = (g->in_width - 1 - *first) / g->dilation_x + 1;
  return fit < g->kernel_width - skipped ? fit : g->kernel_width - skipped;
}

enum { CHANNELS_AT_ONCE = 64 };

void VARIANT(cvk_u8_average_pool)(uint8_t *dst, const uint8_t *const *rows, const cvk_q8_pooling *g, float scale,
                                  int zero, int divisor, const cvk_q8_output *output) {
  const float least = LEAST(output), most = MOST(output);
  const int zero_out = output->zero_point;
  for (int x = 0; x < g->out_width; x++, dst += g->dst_pixel) {
    int first, columns = columns_inside(g, x, &first), count = columns * g->kernel_height;
    float factor = scale / (float)(divisor ? divisor : count ? count : 1);
    for (int c = 0; c < g->channels; c += CHANNELS_AT_ONCE) {
      int n = g->channels - c < CHANNELS_AT_ONCE ? g->channels - c : CHANNELS_AT_ONCE;
      int32_t sums[CHANNELS_AT_ONCE] = {0};
      for (int y = 0; y < g->kernel_height; y++) {
        const uint8_t *pixel = rows[y] + first * g->src_pixel + c;
        for (int k = 0; k < columns; k++, pixel += g->dilation_x * g->src_pixel)
          for (int i = 0; i < n; i++) sums[i] += pixel[i];
      }
      for (int i = 0; i < n; i++) {
        float value = (float)(sums[i] - zero * count) * factor;
        dst[c + i] = (uint8_t)((int)nearest(between(value, least, most)) + zero_out);
      }
    }
  }
}

void VARIANT(cvk_u8_max_pool)(uint8_t *dst, const uint8_t *const *rows, const cvk_q8_pooling *g) {
  for (int x = 0; x < g->out_width; x++, dst += g->dst_pixel) {
    int first, columns = columns_inside(g, x, &first);
    for (int c = 0; c < g->channels; c += CHANNELS_AT_ONCE) {
      int n = g->channels - c < CHANNELS_AT_ONCE ? g->channels - c : CHANNELS_AT_ONCE;
      uint8_t best[CHANNELS_AT_ONCE] = {0};
      for (int y = 0; y < g->kernel_height; y++) {
        const uint8_t *pixel = rows[y] + first * g->src_pixel + c;
        for (int k = 0; k < columns; k++, pixel += g->dilation_x * g->src_pixel)
          for (int i = 0; i < n; i++) best[i] = pixel[i] > best[i] ? pixel[i] : best[i];
      }
      for (int i = 0; i < n; i++) dst[c + i] = best[i];
    }
  }
}
