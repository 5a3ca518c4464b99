/* Sparse pointwise convolutions: packing, and the reference of the other variants. */
#include "../sparse_layout.h"
#include "activation.h"

void cvk_f32_pack_sparse__scalar(float *packed, const float *weights, ptrdiff_t output_step, ptrdiff_t input_step,
                                 const float *bias, const cvk_convolution *convolution) {
  const cvk_convolution *c = convolution;
  const int portions = sparse_portions(c), size = sparse_portion(c);
  float *place = packed, *to = packed + sparse_header(c);
  int32_t count = 0;
  for (int n = 0; n < c->output_channels; n++) *place++ = bias ? bias[n] : 0;
  for (int portion = 0; portion < portions; portion++)
    for (int n = 0; n < c->output_channels; n++) {
      memcpy(place++, &count, sizeof count);
      for (int32_t k = 0; k < size && portion * size + k < c->input_channels; k++) {
        float weight = weights[n * output_step + (portion * size + k) * input_step];
        if (weight == 0) continue;
        memcpy(to, &k, sizeof k), to[1] = weight, to += 2, count++;
      }
    }
  memcpy(place, &count, sizeof count);
}

void cvk_f32_convolve_sparse__scalar(float *dst, const float *src, const float *residual, const float *packed,
                                     const cvk_convolution *convolution, int row0, int row1, int channel0,
                                     int channel1, void *work) {
  const cvk_convolution *c = convolution;
  const float *weights = packed + sparse_header(c);
  (void)work;
  for (int y = row0; y < row1; y++)
    for (int x = 0; x < c->output_width; x++) {
      const float *in = (const float *)((const char *)src + y * c->src_row + x * c->src_pixel);
      float *out = (float *)((char *)dst + y * c->dst_row + x * c->dst_pixel);
      const float *other = NULL;
      if (c->residual) other = (const float *)((const char *)residual + y * c->residual_row + x * c->residual_pixel);
      for (int n = channel0; n < channel1; n++) {
        float sum = packed[n], added = other && n < c->residual_channels ? other[n] : 0;
        for (int portion = 0; portion < sparse_portions(c); portion++) {
          const float *places = sparse_places(packed, c, portion), *end = sparse_weights(places, weights, n + 1);
          for (const float *w = sparse_weights(places, weights, n); w < end; w += 2)
            sum += in[portion * sparse_portion(c) + sparse_integer(w)] * w[1];
        }
        if (c->residual == CVK_RESIDUAL_BEFORE) sum += added;
        sum = activated(sum, &c->activation, n);
        out[n] = c->residual == CVK_RESIDUAL_AFTER ? sum + added : sum;
      }
    }
}
