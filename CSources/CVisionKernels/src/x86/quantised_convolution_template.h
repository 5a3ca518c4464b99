/* Convolutions of bytes over the vectors of quantised_lanes.h.
 *
 * A tile is some pixels of a row times some panels of channels; its sums stay in registers over all taps and input
 * channels. Pixels are addressed one by one, so that padding is only another address. */

/* What all tiles of a call share. */
struct job {
  const cvk_q8_convolution *g;
  const uint8_t *src;
  size_t panel_bytes;
  struct rounding rounding;
  int as_floats;
};

/* Fewer than four bytes; the weights of those that do not exist are zero. */
inline_always uint32_t last_bytes(const uint8_t *p, int count) {
  uint32_t four = p[0];
  if (count > 1) four |= (uint32_t)p[1] << 8;
  if (count > 2) four |= (uint32_t)p[2] << 16;
  return four;
}

inline_always uint32_t four_bytes(const uint8_t *p) {
  uint32_t four;
  __builtin_memcpy(&four, p, 4);
  return four;
}

/* `m` and `n` are constants wherever this is called. dst is where channel 0 of the tile's first pixel goes; `count`
 * channels from there on exist. */
inline_always void tile_body(const int m, const int n, const struct job *job, const uint8_t *panel, int y, int x,
                             uint8_t *dst, int count) {
  const cvk_q8_convolution *g = job->g;
  const size_t panel_bytes = job->panel_bytes;
  vi sums[MOST_PIXELS][MOST_PANELS * PARTS];
  UNROLLED for (int i = 0; i < m; i++) {
    UNROLLED for (int p = 0; p < n * PARTS; p++)
      sums[i][p] = load_vector(panel + (size_t)(p / PARTS) * panel_bytes + p % PARTS * VECTOR_BYTES);
  }
  const uint8_t *w = panel + 128;
  const int fours = g->in_channels / 4, rest = g->in_channels % 4;
  const ptrdiff_t step = g->stride_x * g->src_pixel;
  for (int ky = 0; ky < g->kernel_height; ky++) {
    int iy = y * g->stride_y - g->pad_top + ky * g->dilation_y;
    const int row_is_inside = iy >= 0 && iy < g->in_height;
    const uint8_t *row = job->src + (row_is_inside ? iy * g->src_stride : 0);
    for (int kx = 0; kx < g->kernel_width; kx++) {
      const uint8_t *pixel[MOST_PIXELS];
      const int first = x * g->stride_x - g->pad_left + kx * g->dilation_x, last = first + (m - 1) * g->stride_x;
      if (row_is_inside && first >= 0 && last < g->in_width) {
        UNROLLED for (int i = 0; i < m; i++) pixel[i] = row + first * g->src_pixel + i * step;
      } else {
        UNROLLED for (int i = 0; i < m; i++) {
          int ix = first + i * g->stride_x;
          pixel[i] = row_is_inside && ix >= 0 && ix < g->in_width ? row + ix * g->src_pixel : g->padding;
        }
      }
#define STEP(FOUR) \
  do { \
    weights b[MOST_PANELS * PARTS]; \
    UNROLLED for (int p = 0; p < n * PARTS; p++) \
      b[p] = weights_of(load_vector(w + (size_t)(p / PARTS) * panel_bytes + p % PARTS * VECTOR_BYTES)); \
    UNROLLED for (int i = 0; i < m; i++) { \
      activations a = activations_of(splat_four(FOUR)); \
      UNROLLED for (int p = 0; p < n * PARTS; p++) sums[i][p] = add_products(sums[i][p], a, b[p]); \
    } \
    w += 64; \
  } while (0)
      for (int k = 0; k < fours; k++) STEP(four_bytes(pixel[i] + 4 * (ptrdiff_t)k));
      if (rest == 0) continue;
      if (row_is_inside && first >= 0 && last < g->in_width - 1 && g->src_pixel >= 4 - rest) {
        STEP(four_bytes(pixel[i] + 4 * (ptrdiff_t)fours)); /* the next pixel's bytes weigh nothing */
      } else {
        STEP(last_bytes(pixel[i] + 4 * (ptrdiff_t)fours, rest));
      }
#undef STEP
    }
  }
  const float *scales = (const float *)(const void *)(panel + 64);
  if (job->as_floats) {
    UNROLLED for (int i = 0; i < m; i++)
      store_floats((float *)(void *)(dst + i * g->dst_pixel), sums[i], n, scales, panel_bytes / 4, count);
  } else {
    store_tile(dst, g->dst_pixel, sums, m, n, scales, panel_bytes / 4, count, &job->rounding);
  }
}

typedef void tile_function(const struct job *job, const uint8_t *panel, int y, int x, uint8_t *dst, int count);
#define TILE(m, n) \
  static __attribute__((noinline)) void tile_##m##_##n(const struct job *job, const uint8_t *panel, int y, int x, \
                                                       uint8_t *dst, int count) { \
    tile_body(m, n, job, panel, y, x, dst, count); \
  }
#define TILES_UP_TO_4(n) TILE(1, n) TILE(2, n) TILE(3, n) TILE(4, n)
#define TILES_UP_TO_6(n) TILES_UP_TO_4(n) TILE(5, n) TILE(6, n)
#define TILES_UP_TO_8(n) TILES_UP_TO_6(n) TILE(7, n) TILE(8, n)
#define NAMES_UP_TO_4(n) tile_1_##n, tile_2_##n, tile_3_##n, tile_4_##n
#define NAMES_UP_TO_6(n) NAMES_UP_TO_4(n), tile_5_##n, tile_6_##n
#define NAMES_UP_TO_8(n) NAMES_UP_TO_6(n), tile_7_##n, tile_8_##n
QUANTISED_TILES
static tile_function *const tiles[MOST_PANELS][MOST_PIXELS] = QUANTISED_TILE_NAMES;

static int smaller(int a, int b) { return a < b ? a : b; }

/* Pixels [x, end) of row y times panels [panel0, panel1), all panels of a tile before the next tile. Tiles are
 * alike. */
static void convolve_tiles(const struct job *job, uint8_t *dst, const uint8_t *packed, int y, int x, int end,
                           int panel0, int panel1, int value_bytes) {
  const cvk_q8_convolution *g = job->g;
  const int most = panel1 - panel0 >= MOST_PANELS ? PIXELS_OF_MOST_PANELS : MOST_PIXELS,
            count = (end - x + most - 1) / most;
  const int least = (end - x) / count, larger = (end - x) % count;
  dst += x * g->dst_pixel;
  for (int tile = 0, m; tile < count; tile++, x += m, dst += m * g->dst_pixel) {
    m = least + (tile < larger);
    for (int panel = panel0, n; panel < panel1; panel += n) {
      n = smaller(panel1 - panel, MOST_PANELS);
      tiles[n - 1][m - 1](job, packed + job->panel_bytes * (size_t)panel, y, x,
                          dst + (ptrdiff_t)panel * CVK_Q8_PANEL * value_bytes, g->out_channels - panel * CVK_Q8_PANEL);
    }
  }
}

static void convolve_row(const struct job *job, uint8_t *dst, const uint8_t *packed, int y, int panel0, int panel1,
                         int value_bytes) {
  const cvk_q8_convolution *g = job->g;
  /* Few weights stay in the L1 cache: then each pixel is read once. Many of them are read once for as many pixels as
   * the L2 cache holds. */
  if (job->panel_bytes * (size_t)(panel1 - panel0) <= 16384) {
    convolve_tiles(job, dst, packed, y, 0, g->out_width, panel0, panel1, value_bytes);
    return;
  }
  int pixel_bytes = g->src_pixel < 1 ? 1 : g->src_pixel > 4096 ? 4096 : (int)g->src_pixel, chunk = 131072 / pixel_bytes;
  for (int x = 0; x < g->out_width; x += chunk) {
    int end = smaller(g->out_width - x, chunk) + x;
    for (int panel = panel0; panel < panel1; panel += MOST_PANELS)
      convolve_tiles(job, dst, packed, y, x, end, panel, smaller(panel + MOST_PANELS, panel1), value_bytes);
  }
}

static void convolve(uint8_t *dst, const uint8_t *src, const uint8_t *packed, const cvk_q8_convolution *geometry,
                     int row0, int row1, int panel0, int panel1, int as_floats) {
  cvk_q8_convolution g = *geometry;
  struct job job = {&g, src, cvk_q8_panel_bytes(g.in_channels, g.kernel_width * g.kernel_height),
                    rounding_of(&g.output), as_floats};
  dst += row0 * g.dst_stride;
  /* Pixels of a 1 x 1 convolution do not see their neighbours: rows without gaps are one long row. */
  if (g.kernel_width == 1 && g.kernel_height == 1 && g.stride_x == 1 && g.stride_y == 1 && g.pad_left == 0 &&
      g.pad_top == 0 && g.in_width == g.out_width && row1 <= g.in_height && g.src_stride == g.in_width * g.src_pixel &&
      g.dst_stride == g.out_width * g.dst_pixel && row1 > row0 && (int64_t)(row1 - row0) * g.in_width < INT32_MAX) {
    job.src += row0 * g.src_stride;
    g.in_width = g.out_width = g.in_width * (row1 - row0);
    g.in_height = g.out_height = 1;
    row0 = 0, row1 = 1;
  }
  for (int y = row0; y < row1; y++, dst += g.dst_stride)
    convolve_row(&job, dst, packed, y, panel0, panel1, as_floats ? 4 : 1);
}

void VARIANT(cvk_u8_convolution)(uint8_t *dst, const uint8_t *src, const uint8_t *packed, const cvk_q8_convolution *g,
                                 int row0, int row1, int panel0, int panel1) {
  convolve(dst, src, packed, g, row0, row1, panel0, panel1, 0);
}

void VARIANT(cvk_u8_convolution_f32)(float *dst, const uint8_t *src, const uint8_t *packed, const cvk_q8_convolution *g,
                                     int row0, int row1, int panel0, int panel1) {
  convolve((uint8_t *)dst, src, packed, g, row0, row1, panel0, panel1, 1);
}
