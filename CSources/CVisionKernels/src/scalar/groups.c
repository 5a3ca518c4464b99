/* Convolutions in groups: packing, and the reference of the other variants. */
#include "../groups_layout.h"
#include "activation.h"

void cvk_f32_pack_groups__scalar(float *packed, const float *weights, ptrdiff_t output_step, ptrdiff_t row_step,
                                 ptrdiff_t column_step, ptrdiff_t input_step, const float *bias,
                                 const cvk_convolution *convolution) {
  const cvk_convolution *c = convolution;
  for (int first = 0; first < c->output_channels; first += CVK_PANEL) {
    int count = c->output_channels - first < CVK_PANEL ? c->output_channels - first : CVK_PANEL;
    for (int n = 0; n < CVK_PANEL; n++) *packed++ = bias && n < count ? bias[first + n] : 0;
    for (int ky = 0; ky < CVK_GROUPS_KERNEL; ky++)
      for (int i = 0; i < c->input_channels; i++)
        for (int kx = 0; kx < CVK_GROUPS_KERNEL; kx++)
          for (int n = 0; n < CVK_PANEL; n++, packed++) {
            ptrdiff_t at = (first + n) * output_step + ky * row_step + kx * column_step + i * input_step;
            *packed = n < count ? weights[at] : 0;
          }
  }
}

void cvk_f32_convolve_groups__scalar(float *dst, const float *src, const float *packed,
                                     const cvk_convolution *convolution, int row0, int row1, int channel0,
                                     int channel1) {
  const cvk_convolution *c = convolution;
  const int group = c->input_channels;
  for (int y = row0; y < row1; y++)
    for (int x = 0; x < c->output_width; x++) {
      float *out = (float *)((char *)dst + y * c->dst_row + x * c->dst_pixel);
      for (int n = channel0; n < channel1; n++) {
        const float *weights = packed + groups_at(c, n) + n % CVK_PANEL;
        float sum = *weights;
        weights += CVK_PANEL;
        for (int ky = 0; ky < CVK_GROUPS_KERNEL; ky++) {
          int64_t from_y = (int64_t)y * c->stride_y - c->pad_top + (int64_t)ky * c->dilation_y;
          if (from_y < 0 || from_y >= c->input_height) continue;
          for (int kx = 0; kx < CVK_GROUPS_KERNEL; kx++) {
            int64_t from_x = (int64_t)x * c->stride_x - c->pad_left + kx;
            if (from_x < 0 || from_x >= c->input_width) continue;
            const float *in = (const float *)((const char *)src + from_y * c->src_row + from_x * c->src_pixel) +
                              n / group * group;
            for (int i = 0; i < group; i++)
              sum += in[i] * weights[((ky * group + i) * CVK_GROUPS_KERNEL + kx) * CVK_PANEL];
          }
        }
        out[n] = activated(sum, &c->activation, n);
      }
    }
}
