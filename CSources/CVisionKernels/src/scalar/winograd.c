/* Convolutions by Winograd's F(4 x 4, 3 x 3): the reference of the other variants. */
#include "../winograd_layout.h"

void cvk_f32_pack_winograd__scalar(float *packed, const float *weights, ptrdiff_t output_step, ptrdiff_t row_step,
                                   ptrdiff_t column_step, ptrdiff_t input_step, const float *bias,
                                   const cvk_convolution *convolution) {
  const cvk_convolution *c = convolution;
  const double a = POINT_A, b = POINT_B, points[] = {0, a, -a, b, -b};
  const double slope_a = 2 * a * a * (a * a - b * b), slope_b = 2 * b * b * (b * b - a * a);
  const double slopes[] = {a * a * b * b, slope_a, slope_a, slope_b, slope_b};
  double matrix[6][3] = {{0}};
  for (int i = 0; i < 5; i++) {
    matrix[i][0] = 1 / slopes[i];
    for (int j = 1; j < 3; j++) matrix[i][j] = matrix[i][j - 1] * points[i];
  }
  matrix[5][2] = 1;

  size_t channels = winograd_panels(c) * CVK_PANEL, all = cvk_f32_winograd_packed_count(c);
  for (size_t i = 0; i < all; i++) packed[i] = 0;
  for (int n = 0; n < c->output_channels; n++) {
    if (bias) packed[n] = bias[n];
    float *panel = packed + channels + (size_t)(n / CVK_PANEL) * winograd_panel_floats(c) + n % CVK_PANEL;
    for (int k = 0; k < c->input_channels; k++) {
      const float *from = weights + n * output_step + k * input_step;
      double half[6][3];
      for (int i = 0; i < 6; i++) {
        for (int x = 0; x < 3; x++) {
          half[i][x] = 0;
          for (int y = 0; y < 3; y++) half[i][x] += matrix[i][y] * (double)from[y * row_step + x * column_step];
        }
      }
      for (int i = 0; i < CVK_WINOGRAD_POSITIONS; i++) {
        double sum = 0;
        for (int x = 0; x < 3; x++) sum += half[i / 6][x] * matrix[i % 6][x];
        panel[(size_t)i * winograd_position_floats(c) + (size_t)(1 + k) * CVK_PANEL] = (float)sum;
      }
    }
  }
}

/* Six values, `step` apart. */
static void transform_input(float *v, int step) {
  float x[6];
  for (int i = 0; i < 6; i++) x[i] = v[i * step];
  float even_a = x[4] - SQUARE_B * x[2], odd_a = POINT_A * (x[3] - SQUARE_B * x[1]);
  float even_b = x[4] - SQUARE_A * x[2], odd_b = POINT_B * (x[3] - SQUARE_A * x[1]);
  v[0] = SQUARE_A * SQUARE_B * x[0] - (SQUARE_A + SQUARE_B) * x[2] + x[4];
  v[1 * step] = even_a + odd_a, v[2 * step] = even_a - odd_a;
  v[3 * step] = even_b + odd_b, v[4 * step] = even_b - odd_b;
  v[5 * step] = SQUARE_A * SQUARE_B * x[1] - (SQUARE_A + SQUARE_B) * x[3] + x[5];
}

/* Six values to the first four. */
static void transform_result(float *v, int step) {
  float sum_a = v[step] + v[2 * step], difference_a = v[step] - v[2 * step];
  float sum_b = v[3 * step] + v[4 * step], difference_b = v[3 * step] - v[4 * step];
  v[0] = v[0] + sum_a + sum_b;
  v[step] = POINT_A * difference_a + POINT_B * difference_b;
  v[2 * step] = SQUARE_A * sum_a + SQUARE_B * sum_b;
  v[3 * step] = POINT_A * SQUARE_A * difference_a + POINT_B * SQUARE_B * difference_b + v[5 * step];
}

/* The 16 results of an output channel, in the first four columns of the first four rows of six. */
static void square_of(float *results, const float *src, const float *packed, const cvk_convolution *c, int y, int x,
                      int n) {
  const float *panel = packed + winograd_panels(c) * CVK_PANEL + (size_t)(n / CVK_PANEL) * winograd_panel_floats(c);
  for (int i = 0; i < CVK_WINOGRAD_POSITIONS; i++) results[i] = 0;
  for (int k = 0; k < c->input_channels; k++) {
    float v[CVK_WINOGRAD_POSITIONS];
    for (int i = 0; i < CVK_WINOGRAD_POSITIONS; i++) {
      int64_t sy = (int64_t)y - c->pad_top + i / 6, sx = (int64_t)x - c->pad_left + i % 6;
      int inside = sy >= 0 && sy < c->input_height && sx >= 0 && sx < c->input_width;
      v[i] = inside ? ((const float *)((const char *)src + sy * c->src_row + sx * c->src_pixel))[k] : 0;
    }
    for (int i = 0; i < 6; i++) transform_input(v + 6 * i, 1);
    for (int i = 0; i < 6; i++) transform_input(v + i, 6);
    for (int i = 0; i < CVK_WINOGRAD_POSITIONS; i++)
      results[i] += v[i] * panel[(size_t)i * winograd_position_floats(c) + (size_t)(1 + k) * CVK_PANEL +
                                 (size_t)(n % CVK_PANEL)];
  }
  for (int i = 0; i < 6; i++) transform_result(results + 6 * i, 1);
  for (int i = 0; i < 4; i++) transform_result(results + i, 6);
}

void cvk_f32_winograd__scalar(float *dst, const float *src, const float *residual, const float *packed,
                              const cvk_convolution *convolution, int row0, int row1, int channel0, int channel1,
                              void *work) {
  (void)work;
  const cvk_convolution *c = convolution;
  for (int y = row0; y < row1; y += CVK_SQUARE) {
    for (int x = 0; x < c->output_width; x += CVK_SQUARE) {
      for (int n = channel0; n < channel1; n++) {
        float results[CVK_WINOGRAD_POSITIONS];
        square_of(results, src, packed, c, y, x, n);
        cvk_activation activation = c->activation;
        if (activation.kind == CVK_ACTIVATION_PRELU) activation.slopes += n;
        for (int i = 0; i < CVK_SQUARE * CVK_SQUARE; i++) {
          ptrdiff_t row = y + i / CVK_SQUARE, column = x + i % CVK_SQUARE;
          if (row >= row1 || column >= c->output_width) continue;
          float value = results[i / CVK_SQUARE * 6 + i % CVK_SQUARE] + packed[n], other = 0;
          if (c->residual && n < c->residual_channels)
            other = ((const float *)((const char *)residual + row * c->residual_row + column * c->residual_pixel))[n];
          if (c->residual == CVK_RESIDUAL_BEFORE) value += other;
          cvk_f32_activate__scalar(&value, sizeof value, 1, 1, &activation);
          if (c->residual == CVK_RESIDUAL_AFTER) value += other;
          ((float *)((char *)dst + row * c->dst_row + column * c->dst_pixel))[n] = value;
        }
      }
    }
  }
}
