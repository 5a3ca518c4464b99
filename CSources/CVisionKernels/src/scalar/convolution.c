/* Convolutions and matrix products in float: the reference of the other variants. */
#include "../convolution_layout.h"

void cvk_f32_pack_convolution__scalar(float *packed, const float *weights, ptrdiff_t output_step, ptrdiff_t row_step,
                                      ptrdiff_t column_step, ptrdiff_t input_step, const float *bias,
                                      const cvk_convolution *convolution) {
  const cvk_convolution *c = convolution;
  int paired = is_paired(c), channels = panel_channels(paired), step = paired ? 2 : 1;
  for (int first = 0; first < c->output_channels; first += channels, packed += panel_floats(c, paired)) {
    int count = c->output_channels - first < channels ? c->output_channels - first : channels;
    for (size_t i = 0; i < panel_floats(c, paired); i++) packed[i] = 0;
    for (int n = 0; n < count && bias; n++) packed[n * step] = bias[first + n];
    for (int ky = 0; ky < c->kernel_height; ky++) {
      for (int kx = 0, k = 0; kx < c->kernel_width; kx++) {
        const float *from = weights + first * output_step + ky * row_step + kx * column_step;
        for (int i = 0; i < c->input_channels; i++, k++, from += input_step) {
          float *to = packed + place_of(c, paired, 0, ky, k);
          for (int n = 0; n < count; n++) to[n * step] = from[n * output_step];
        }
      }
    }
  }
}

/* One element: bias, then the taps in the image in the order of the packed weights. */
static float sum_of(const float *src, const float *packed, const cvk_convolution *c, int y, int x, int n) {
  int paired = is_paired(c), channels = panel_channels(paired), in_panel = n % channels;
  const float *panel = packed + (size_t)(n / channels) * panel_floats(c, paired);
  float sums[2] = {panel[paired ? 2 * in_panel : in_panel], 0};
  for (int ky = 0; ky < c->kernel_height; ky++) {
    for (int kx = 0; kx < c->kernel_width; kx++) {
      int64_t sy = (int64_t)y * c->stride_y - c->pad_top + (int64_t)ky * c->dilation_y;
      int64_t sx = (int64_t)x * c->stride_x - c->pad_left + (int64_t)kx * c->dilation_x;
      if (sy < 0 || sy >= c->input_height || sx < 0 || sx >= c->input_width) continue;
      const float *pixel = (const float *)((const char *)src + sy * c->src_row + sx * c->src_pixel);
      for (int i = 0; i < c->input_channels; i++) {
        int k = kx * c->input_channels + i;
        sums[paired ? k % 2 : 0] += pixel[i] * panel[place_of(c, paired, in_panel, ky, k)];
      }
    }
  }
  return sums[0] + sums[1];
}

void cvk_f32_convolve__scalar(float *dst, const float *src, const float *residual, const float *packed,
                              const cvk_convolution *convolution, int row0, int row1, int channel0, int channel1,
                              void *work) {
  (void)work;
  const cvk_convolution *c = convolution;
  for (int y = row0; y < row1; y++) {
    for (int x = 0; x < c->output_width; x++) {
      float *out = (float *)((char *)dst + y * c->dst_row + x * c->dst_pixel);
      const float *other = residual;
      if (c->residual) other = (const float *)((const char *)residual + y * c->residual_row + x * c->residual_pixel);
      for (int n = channel0; n < channel1; n++) {
        float value = sum_of(src, packed, c, y, x, n);
        if (c->residual == CVK_RESIDUAL_BEFORE && n < c->residual_channels) value += other[n];
        cvk_activation activation = c->activation;
        if (activation.kind == CVK_ACTIVATION_PRELU) activation.slopes += n;
        cvk_f32_activate__scalar(&value, sizeof value, 1, 1, &activation);
        if (c->residual == CVK_RESIDUAL_AFTER && n < c->residual_channels) value += other[n];
        out[n] = value;
      }
    }
  }
}

void cvk_f32_multiply__scalar(float *dst, ptrdiff_t dst_stride, const float *a, ptrdiff_t a_row, ptrdiff_t a_column,
                              const float *b, ptrdiff_t b_row, ptrdiff_t b_column, int rows, int columns, int inner,
                              float scale, void *work) {
  (void)work;
  for (int y = 0; y < rows; y++) {
    float *out = (float *)((char *)dst + y * dst_stride);
    for (int x = 0; x < columns; x++) {
      const char *left = (const char *)a + y * a_row, *right = (const char *)b + x * b_column;
      float sum = 0;
      for (int k = 0; k < inner; k++, left += a_column, right += b_row)
        sum += *(const float *)left * *(const float *)right;
      out[x] = sum * scale;
    }
  }
}
