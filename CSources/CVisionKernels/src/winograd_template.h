/* Convolutions by Winograd's F(4 x 4, 3 x 3) over the tiles of convolution_tile.h; include after
 * convolution_template.h. */

/* As the scalar variant has it. */
inline_always void transform_input(vf *v, const int step) {
  const vf a = SPLAT(POINT_A), b = SPLAT(POINT_B), aa = SPLAT(SQUARE_A), bb = SPLAT(SQUARE_B);
  const vf product = SPLAT(SQUARE_A * SQUARE_B), sum = SPLAT(SQUARE_A + SQUARE_B);
  vf x0 = v[0], x1 = v[step], x2 = v[2 * step], x3 = v[3 * step], x4 = v[4 * step], x5 = v[5 * step];
  vf even_a = FNMA(bb, x2, x4), odd_a = FNMA(bb, x1, x3), even_b = FNMA(aa, x2, x4), odd_b = FNMA(aa, x1, x3);
  v[0] = FMA(product, x0, FNMA(sum, x2, x4));
  v[step] = FMA(a, odd_a, even_a), v[2 * step] = FNMA(a, odd_a, even_a);
  v[3 * step] = FMA(b, odd_b, even_b), v[4 * step] = FNMA(b, odd_b, even_b);
  v[5 * step] = FMA(product, x1, FNMA(sum, x3, x5));
}

inline_always void transform_result(vf *v, const int step) {
  const vf a = SPLAT(POINT_A), b = SPLAT(POINT_B), aa = SPLAT(SQUARE_A), bb = SPLAT(SQUARE_B);
  const vf aaa = SPLAT(POINT_A * SQUARE_A), bbb = SPLAT(POINT_B * SQUARE_B);
  vf sum_a = v[step] + v[2 * step], difference_a = v[step] - v[2 * step];
  vf sum_b = v[3 * step] + v[4 * step], difference_b = v[3 * step] - v[4 * step];
  v[0] = v[0] + (sum_a + sum_b);
  v[step] = FMA(b, difference_b, a * difference_a);
  v[2 * step] = FMA(bb, sum_b, aa * sum_a);
  v[3 * step] = FMA(bbb, difference_b, FMA(aaa, difference_a, v[5 * step]));
}

/* The channels from `channel` on of the square whose inputs are at `pixels`. */
inline_always void transform_square(float *to, size_t step, const float *const *pixels, int channel, int lanes) {
  vf v[CVK_WINOGRAD_POSITIONS];
  UNROLL for (int y = 0; y < 6; y++) {
    UNROLL for (int x = 0; x < 6; x++) {
      const float *from = pixels[6 * y + x] + channel;
      v[6 * y + x] = lanes < LANES ? load_lanes(from, lanes) : load(from);
    }
    transform_input(v + 6 * y, 1);
  }
  char *column = (char *)(to + channel);
  const ptrdiff_t one = (ptrdiff_t)(step * sizeof(float)), six = 6 * one;
  UNROLL for (int x = 0; x < 6; x++, column += one) {
    transform_input(v + x, 6);
    OPAQUE(column);
    UNROLL for (int y = 0; y < 6; y++) {
      float *out = (float *)(column + y * six);
      if (lanes < LANES) {
        store_lanes(out, v[6 * y + x], lanes);
      } else {
        store(out, v[6 * y + x]);
      }
    }
  }
}

static void transform_inputs(float *to, size_t step, const float *src, const float *zeros, const cvk_convolution *c,
                             int64_t y, int64_t x) {
  const float *pixels[CVK_WINOGRAD_POSITIONS];
  for (int i = 0; i < 6; i++) {
    int64_t row = y + i - c->pad_top, column = x - c->pad_left;
    const float *from = OFFSET(const float, src, row * c->src_row + column * c->src_pixel);
    if (row < 0 || row >= c->input_height) {
      UNROLL for (int j = 0; j < 6; j++) pixels[6 * i + j] = zeros;
    } else if (column >= 0 && column + 5 < c->input_width) {
      UNROLL for (int j = 0; j < 6; j++) pixels[6 * i + j] = OFFSET(const float, from, j * c->src_pixel);
    } else {
      for (int j = 0; j < 6; j++) {
        int inside = column + j >= 0 && column + j < c->input_width;
        pixels[6 * i + j] = inside ? OFFSET(const float, from, j * c->src_pixel) : zeros;
      }
    }
  }
  int channel = 0;
  for (; channel + LANES <= c->input_channels; channel += LANES) transform_square(to, step, pixels, channel, LANES);
  if (channel < c->input_channels) transform_square(to, step, pixels, channel, c->input_channels - channel);
}

/* The 16 results of every channel of the panels, pixel by pixel. */
static void transform_products(float *results, const float *products, size_t step, const float *bias, int panels) {
  const ptrdiff_t one = (ptrdiff_t)(step * sizeof(float));
  for (int j = 0; j < panels * PANEL_VECTORS; j++) {
    vf v[CVK_WINOGRAD_POSITIONS], b = load(bias + j * LANES);
    const char *row = (const char *)(products + j * LANES);
    UNROLL for (int y = 0; y < 6; y++, row += 6 * one) {
      OPAQUE(row);
      UNROLL for (int x = 0; x < 6; x++) v[6 * y + x] = load((const float *)(row + x * one));
      transform_result(v + 6 * y, 1);
    }
    UNROLL for (int x = 0; x < CVK_SQUARE; x++) {
      transform_result(v + x, 6);
      UNROLL for (int y = 0; y < CVK_SQUARE; y++)
          store(results + (y * CVK_SQUARE + x) * panels * CVK_PANEL + j * LANES, v[6 * y + x] + b);
    }
  }
}

/* The results of a few pixels side by side, and what becomes of them. */
typedef struct tile_end {
  const cvk_convolution *c;
  float *tile; /* pixel by pixel, panels side by side */
  float *dst;
  const float *residual;
  ptrdiff_t dst_pixel, residual_pixel;
  int pixels, panels, last_count, channel, residual_count;
} tile_end;

/* Adds the residual, or stores the results with or without it. */
inline_always void pass_pixels(const tile_end *end, int adds, int stores) {
  const int vectors = end->panels * PANEL_VECTORS;
  for (int i = 0; i < end->pixels; i++) {
    float *tile = end->tile + i * end->panels * CVK_PANEL;
    const float *other = adds ? pixel_at(end->residual, end->residual_pixel, i) : NULL;
    float *out = stores ? OFFSET(float, end->dst, i * end->dst_pixel) : NULL;
    for (int j = 0; j < vectors; j++) {
      vf value = load(tile + j * LANES);
      if (adds) value = value + load_first(other, j, end->residual_count);
      if (stores) {
        store_channels(out, value, j, end->panels, end->last_count);
      } else {
        store(tile + j * LANES, value);
      }
    }
  }
}

static void end_tile(const tile_end *end) {
  const cvk_convolution *c = end->c;
  const int columns = (end->panels - 1) * CVK_PANEL + end->last_count;
  cvk_activation activation = c->activation;
  if (activation.kind == CVK_ACTIVATION_PRELU) activation.slopes += end->channel;
  if (c->residual == CVK_RESIDUAL_BEFORE) pass_pixels(end, 1, 0);
  if (activation.kind != CVK_ACTIVATION_NONE) {
    /* Of a full tile the pixels are one row. */
    VARIANT(cvk_f32_activate)(end->tile, end->panels * CVK_PANEL * (ptrdiff_t)sizeof(float), end->pixels, columns,
                              &activation);
  }
  if (c->residual == CVK_RESIDUAL_AFTER) {
    pass_pixels(end, 1, 1);
  } else {
    pass_pixels(end, 0, 1);
  }
}

/* All 36 products of `squares` squares and a group of panels. */
static void multiply_places(float *products, size_t product_step, const float *inputs, size_t input_step,
                            const float *weights, const cvk_convolution *c, int squares, int panels) {
  int most = tile_pixels[0][panels - 1], count = (squares + most - 1) / most;
  int base = squares / count, larger_ones = squares % count;
  ptrdiff_t pixel = c->input_channels * (ptrdiff_t)sizeof(float),
            result = panels * CVK_PANEL * (ptrdiff_t)sizeof(float);
  tile_job job = {.pixel = pixel, .rows = 1, .runs = 1, .length = c->input_channels, .weights = CVK_PANEL,
                  .panel = (ptrdiff_t)(winograd_panel_floats(c) * sizeof(float)), .last_count = CVK_PANEL,
                  .dst_pixel = result, .kind = CVK_ACTIVATION_NONE};
  for (int position = 0; position < CVK_WINOGRAD_POSITIONS; position++) {
    job.src = (const char *)(inputs + (size_t)position * input_step);
    job.dst = products + (size_t)position * product_step;
    job.bias = weights + (size_t)position * winograd_position_floats(c);
    job.count = larger_ones;
    if (larger_ones > 0) tiles[0][panels - 1][base](&job);
    job.src += larger_ones * (base + 1) * pixel, job.dst = OFFSET(float, job.dst, larger_ones * (base + 1) * result);
    job.count = count - larger_ones;
    if (base > 0) tiles[0][panels - 1][base - 1](&job);
  }
}

void VARIANT(cvk_f32_winograd)(float *dst, const float *src, const float *residual, const float *packed,
                               const cvk_convolution *convolution, int row0, int row1, int channel0, int channel1,
                               void *work) {
  const cvk_convolution *c = convolution;
  if (row1 <= row0 || channel1 <= channel0) return;
  int across = (c->output_width + CVK_SQUARE - 1) / CVK_SQUARE;
  int first = row0 / CVK_SQUARE * across, end = (row1 + CVK_SQUARE - 1) / CVK_SQUARE * across;
  int panel0 = channel0 / CVK_PANEL, panel1 = (channel1 + CVK_PANEL - 1) / CVK_PANEL, at_once = winograd_squares(c);
  size_t input_step = winograd_input_step(c);
  float *inputs = work, *products = inputs + CVK_WINOGRAD_POSITIONS * input_step;
  float *results = products + CVK_WINOGRAD_POSITIONS * winograd_product_step(c, CVK_WINOGRAD_PANELS);
  float *zeros = results + CVK_SQUARE * CVK_SQUARE * CVK_WINOGRAD_PANELS * CVK_PANEL;
  memset(zeros, 0, (size_t)c->input_channels * sizeof(float));
  const float *weights = packed + winograd_panels(c) * CVK_PANEL;
  for (int start = first; start < end; start += at_once) {
    int squares = end - start < at_once ? end - start : at_once, panels;
    for (int i = 0; i < squares; i++) {
      int y = (start + i) / across * CVK_SQUARE, x = (start + i) % across * CVK_SQUARE;
      transform_inputs(inputs + (size_t)i * (size_t)c->input_channels, input_step, src, zeros, c, y, x);
    }
    for (int panel = panel0; panel < panel1; panel += panels) {
      panels = group_of(panel1 - panel < CVK_WINOGRAD_PANELS ? panel1 - panel : CVK_WINOGRAD_PANELS, squares, 0);
      size_t product_step = winograd_product_step(c, panels);
      multiply_places(products, product_step, inputs, input_step, weights + (size_t)panel * winograd_panel_floats(c), c,
                      squares, panels);
      int channel = panel * CVK_PANEL, left = channel1 - channel;
      tile_end ending = {.c = c, .panels = panels, .dst_pixel = c->dst_pixel, .residual_pixel = c->residual_pixel,
                         .channel = channel, .residual_count = c->residual_channels - channel,
                         .last_count = left < panels * CVK_PANEL ? left - (panels - 1) * CVK_PANEL : CVK_PANEL};
      for (int i = 0; i < squares; i++) {
        int y = (start + i) / across * CVK_SQUARE, x = (start + i) % across * CVK_SQUARE;
        transform_products(results, products + i * panels * CVK_PANEL, product_step, packed + channel, panels);
        ending.pixels = c->output_width - x < CVK_SQUARE ? c->output_width - x : CVK_SQUARE;
        for (int row = 0; row < CVK_SQUARE && y + row < row1; row++) {
          ending.tile = results + row * CVK_SQUARE * panels * CVK_PANEL;
          ending.dst = OFFSET(float, dst, (y + row) * c->dst_row + x * c->dst_pixel) + channel;
          if (c->residual) {
            ending.residual =
                OFFSET(const float, residual, (y + row) * c->residual_row + x * c->residual_pixel) + channel;
          }
          end_tile(&ending);
        }
      }
    }
  }
}
