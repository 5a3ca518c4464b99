/* Depthwise convolution: the reference of the other variants. */
#include "activation.h"

void cvk_f32_depthwise_pack__scalar(float *dst, const float *src, ptrdiff_t channel_stride, ptrdiff_t tap_stride,
                                    const float *bias, int channels, int taps) {
  for (int first = 0; first < channels; first += CVK_DEPTHWISE_BLOCK)
    for (int tap = -1; tap < taps; tap++)
      for (int i = 0; i < CVK_DEPTHWISE_BLOCK; i++, dst++) {
        int channel = first + i;
        if (channel >= channels) *dst = 0;
        else if (tap >= 0) *dst = src[channel * channel_stride + tap * tap_stride];
        else *dst = bias ? bias[channel] : 0;
      }
}

static inline const float *pixel(const float *row, ptrdiff_t stride, int x) {
  return (const float *)((const char *)row + x * stride);
}

void cvk_f32_depthwise__scalar(float *dst, ptrdiff_t dst_stride, const float *const *rows, const float *packed,
                               const float *residual, ptrdiff_t residual_stride, int out_rows,
                               const cvk_depthwise *shape) {
  const int taps = shape->kernel_width * shape->kernel_height, channels = shape->channels * shape->multiplier;
  for (int y = 0; y < out_rows; y++)
    for (int x = 0; x < shape->out_width; x++) {
      float *out = (float *)((char *)dst + y * dst_stride + x * shape->dst_pixel_stride);
      const float *more = residual ? pixel(residual, shape->residual_pixel_stride, x) : 0;
      if (more) more = pixel(more, residual_stride, y);
      for (int c = 0; c < channels; c++) {
        const float *weights = packed + cvk_depthwise_packed_size(c / CVK_DEPTHWISE_BLOCK * CVK_DEPTHWISE_BLOCK, taps) +
                               c % CVK_DEPTHWISE_BLOCK;
        float sum = *weights;
        for (int ky = 0; ky < shape->kernel_height; ky++) {
          const float *row = rows[(ptrdiff_t)y * shape->row_step + (ptrdiff_t)ky * shape->row_dilation];
          if (!row) continue;
          for (int kx = 0; kx < shape->kernel_width; kx++) {
            int from = x * shape->stride - shape->pad_left + kx * shape->dilation;
            if (from < 0 || from >= shape->in_width) continue;
            sum += pixel(row, shape->src_pixel_stride, from)[c / shape->multiplier] *
                   weights[(1 + ky * shape->kernel_width + kx) * CVK_DEPTHWISE_BLOCK];
          }
        }
        if (more) sum += more[c];
        out[c] = activated(sum, &shape->activation, c);
      }
    }
}
