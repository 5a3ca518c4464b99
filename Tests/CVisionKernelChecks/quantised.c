/* Checks of the convolutions in 8-bit integers. */
#include <math.h>
#include <string.h>

#include "check.h"

/* Scales that map sums to bytes which are neither all 0 nor all 255; sometimes the largest allowed. */
static cvk_buffer scales_of(cvk_check *check, int count, int products) {
  float usual = 4.0f / (sqrtf((float)products) * 128);
  cvk_buffer scales = cvk_float_source(check, count, 1, usual / 8, usual);
  if (cvk_between(check, 0, 9) == 0) {
    for (int i = 0; i < count; i++)
      ((float *)(void *)scales.bytes)[i] = cvk_between(check, 0, 1) ? 0.5f : cvk_between(check, 0, 1) ? 0.99f : 0;
  }
  return scales;
}

static cvk_buffer biases_of(cvk_check *check, int count) {
  cvk_buffer biases = cvk_source(check, count * 4, 1, 4);
  if (cvk_between(check, 0, 3)) { /* of a realistic size */
    for (int i = 0; i < count; i++) ((int32_t *)(void *)biases.bytes)[i] = cvk_between(check, -20000, 20000);
  }
  return biases;
}

static cvk_q8_output output_of(cvk_check *check) {
  cvk_q8_output output = {cvk_between(check, 0, 255), 0, 255};
  if (cvk_between(check, 0, 1)) {
    output.low = cvk_between(check, 0, 255);
    output.high = cvk_between(check, output.low, 255);
  }
  return output;
}

/* Sizes of a convolution with all combinations of padding and image: the image may be smaller than the kernel. */
typedef struct convolution_case {
  cvk_q8_convolution g;
  cvk_buffer src, weights, bias, scales, packed, padding;
  int taps, zero_point;
} convolution_case;

static convolution_case make_convolution(cvk_check *check, int value_bytes) {
  convolution_case c;
  memset(&c, 0, sizeof c);
  cvk_q8_convolution *g = &c.g;
  int pointwise = cvk_between(check, 0, 2) > 0;
  g->kernel_width = pointwise ? 1 : cvk_between(check, 1, 5);
  g->kernel_height = pointwise ? 1 : cvk_between(check, 1, 5);
  g->stride_x = pointwise && cvk_between(check, 0, 3) ? 1 : cvk_between(check, 1, 3);
  g->stride_y = g->stride_x;
  g->dilation_x = pointwise ? 1 : cvk_between(check, 1, 2);
  g->dilation_y = pointwise ? 1 : cvk_between(check, 1, 2);
  g->in_width = cvk_size(check, 40), g->in_height = cvk_size(check, 7);
  g->in_channels = cvk_size(check, pointwise ? 140 : 20), g->out_channels = cvk_size(check, 150);
  int right = 0, bottom = 0;
  if (!pointwise) {
    g->pad_left = cvk_between(check, 0, 3), g->pad_top = cvk_between(check, 0, 3);
    right = cvk_between(check, 0, 3), bottom = cvk_between(check, 0, 3);
  }
  int reach_x = (g->kernel_width - 1) * g->dilation_x, reach_y = (g->kernel_height - 1) * g->dilation_y;
  int wide = g->in_width + g->pad_left + right - reach_x - 1, high = g->in_height + g->pad_top + bottom - reach_y - 1;
  g->out_width = wide < 0 ? 1 : wide / g->stride_x + 1;
  g->out_height = high < 0 ? 1 : high / g->stride_y + 1;
  int gap = cvk_between(check, 0, 1) ? cvk_between(check, 0, 40) : 0;
  g->src_pixel = g->in_channels + gap;
  g->dst_pixel = (g->out_channels + gap) * value_bytes;
  g->output = output_of(check);
  c.taps = g->kernel_width * g->kernel_height;
  c.zero_point = cvk_between(check, 0, 255);
  c.src = cvk_source(check, (g->in_width - 1) * (int)g->src_pixel + g->in_channels, g->in_height, 1);
  g->src_stride = c.src.stride;
  if (cvk_between(check, 0, 2) == 0) { /* rows without padding take another code path */
    c.src = cvk_source(check, g->in_height * g->in_width * (int)g->src_pixel - gap, 1, 1);
    g->src_stride = g->in_width * g->src_pixel;
  }
  c.padding = cvk_result(check, g->in_channels, 1, 1);
  memset(c.padding.bytes, c.zero_point, (size_t)g->in_channels);
  g->padding = c.padding.bytes;
  c.weights = cvk_source(check, g->in_channels * c.taps, g->out_channels, 1);
  c.bias = biases_of(check, g->out_channels);
  c.scales = scales_of(check, g->out_channels, g->in_channels * c.taps);
  c.packed = cvk_source(check, (int)cvk_q8_panel_bytes(g->in_channels, c.taps), cvk_q8_panels(g->out_channels), 64);
  /* Panels are contiguous. */
  c.packed = cvk_source(check, c.packed.row_bytes * c.packed.rows, 1, 64);
  cvk_s8_pack_convolution(c.packed.bytes, (const int8_t *)c.weights.bytes, c.weights.stride, 1, g->in_channels,
                          (const int32_t *)(const void *)c.bias.bytes, (const float *)(const void *)c.scales.bytes,
                          g->out_channels, g->in_channels, c.taps, c.zero_point);
  return c;
}

static uint8_t byte_of(double sum, float scale, cvk_q8_output output) {
  float value = (float)sum * scale;
  float byte = rintf(value < 1000 ? value > -1000 ? value : -1000 : 1000) + (float)output.zero_point;
  return (uint8_t)(byte < (float)output.low ? output.low : byte > (float)output.high ? output.high : (int)byte);
}

void cvk_check_cvk_s8_pack_convolution(cvk_check *check) {
  while (cvk_next_case(check)) {
    convolution_case c = make_convolution(check, 1);
    cvk_q8_convolution *g = &c.g;
    ptrdiff_t row = g->out_width * g->dst_pixel;
    cvk_buffer blank = cvk_result(check, (int)row, g->out_height, 1);
    cvk_buffer wanted = cvk_result_like(check, blank);
    g->dst_stride = blank.stride;
    /* The definition, without packing, with the zero point applied to each element. */
    for (int y = 0; y < g->out_height; y++) {
      for (int x = 0; x < g->out_width; x++) {
        for (int o = 0; o < g->out_channels; o++) {
          int64_t sum = ((const int32_t *)(const void *)c.bias.bytes)[o];
          for (int tap = 0; tap < c.taps; tap++) {
            int iy = y * g->stride_y - g->pad_top + tap / g->kernel_width * g->dilation_y;
            int ix = x * g->stride_x - g->pad_left + tap % g->kernel_width * g->dilation_x;
            if (iy < 0 || iy >= g->in_height || ix < 0 || ix >= g->in_width) continue;
            for (int k = 0; k < g->in_channels; k++) {
              int weight = ((const int8_t *)c.weights.bytes)[o * c.weights.stride + tap * g->in_channels + k];
              sum += (c.src.bytes[iy * g->src_stride + ix * g->src_pixel + k] - c.zero_point) * weight;
            }
          }
          float scale = ((const float *)(const void *)c.scales.bytes)[o];
          wanted.bytes[y * g->dst_stride + x * g->dst_pixel + o] =
              byte_of((double)(int32_t)sum, scale, g->output);
        }
      }
    }
    CVK_EACH_VARIANT(check, cvk_s8_pack_convolution, variant) {
      cvk_buffer packed = cvk_source(check, c.packed.row_bytes, 1, 64), got = cvk_result_like(check, blank);
      variant(packed.bytes, (const int8_t *)c.weights.bytes, c.weights.stride, 1, g->in_channels,
              (const int32_t *)(const void *)c.bias.bytes, (const float *)(const void *)c.scales.bytes, g->out_channels,
              g->in_channels, c.taps, c.zero_point);
      cvk_u8_convolution__scalar(got.bytes, c.src.bytes, packed.bytes, g, 0, g->out_height, 0,
                                 cvk_q8_panels(g->out_channels));
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_convolution(cvk_check *check) {
  while (cvk_next_case(check)) {
    convolution_case c = make_convolution(check, 1);
    cvk_buffer blank = cvk_result(check, c.g.out_width * (int)c.g.dst_pixel, c.g.out_height, 1);
    c.g.dst_stride = blank.stride;
    if (cvk_between(check, 0, 1)) {
      blank = cvk_result(check, c.g.out_height * c.g.out_width * (int)c.g.dst_pixel, 1, 1);
      c.g.dst_stride = c.g.out_width * c.g.dst_pixel;
    }
    cvk_buffer wanted = cvk_result_like(check, blank);
    int panels = cvk_q8_panels(c.g.out_channels);
    cvk_u8_convolution__scalar(wanted.bytes, c.src.bytes, c.packed.bytes, &c.g, 0, c.g.out_height, 0, panels);
    int row = cvk_between(check, 0, c.g.out_height), panel = cvk_between(check, 0, panels);
    CVK_EACH_VARIANT(check, cvk_u8_convolution, variant) {
      cvk_buffer got = cvk_result_like(check, blank);
      variant(got.bytes, c.src.bytes, c.packed.bytes, &c.g, 0, row, 0, panels);
      variant(got.bytes, c.src.bytes, c.packed.bytes, &c.g, row, c.g.out_height, 0, panel);
      variant(got.bytes, c.src.bytes, c.packed.bytes, &c.g, row, c.g.out_height, panel, panels);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_convolution_f32(cvk_check *check) {
  while (cvk_next_case(check)) {
    convolution_case c = make_convolution(check, 4);
    cvk_buffer blank = cvk_result(check, c.g.out_width * (int)c.g.dst_pixel, c.g.out_height, 4);
    c.g.dst_stride = blank.stride;
    cvk_buffer wanted = cvk_result_like(check, blank);
    int panels = cvk_q8_panels(c.g.out_channels), row = cvk_between(check, 0, c.g.out_height);
    cvk_u8_convolution_f32__scalar((float *)(void *)wanted.bytes, c.src.bytes, c.packed.bytes, &c.g, 0, c.g.out_height,
                                   0, panels);
    CVK_EACH_VARIANT(check, cvk_u8_convolution_f32, variant) {
      cvk_buffer got = cvk_result_like(check, blank);
      variant((float *)(void *)got.bytes, c.src.bytes, c.packed.bytes, &c.g, 0, row, 0, panels);
      variant((float *)(void *)got.bytes, c.src.bytes, c.packed.bytes, &c.g, row, c.g.out_height, 0, panels);
      cvk_expect_close(check, wanted, got, 0, 0);
    }
  }
}

typedef struct depthwise_case {
  cvk_q8_depthwise g;
  cvk_buffer src, weights, bias, scales, packed, padding;
  const uint8_t *rows[24];
  int taps, zero_point;
} depthwise_case;

static depthwise_case make_depthwise(cvk_check *check) {
  depthwise_case c;
  memset(&c, 0, sizeof c);
  cvk_q8_depthwise *g = &c.g;
  switch (cvk_between(check, 0, 5)) {
  case 0: g->kernel_width = cvk_between(check, 1, 9), g->kernel_height = cvk_between(check, 1, 9); break;
  case 1: g->kernel_width = cvk_between(check, 1, 24), g->kernel_height = cvk_between(check, 1, 24); break;
  default: g->kernel_width = g->kernel_height = cvk_between(check, 0, 1) ? 3 : 5; break;
  }
  g->stride_x = cvk_between(check, 1, 2 + cvk_between(check, 0, 1));
  g->dilation_x = cvk_between(check, 0, 4) ? 1 : cvk_between(check, 1, 6);
  g->in_width = cvk_size(check, 90), g->channels = cvk_size(check, 200);
  g->pad_left = cvk_between(check, 0, 4);
  int wide = g->in_width + g->pad_left + cvk_between(check, 0, 4) - (g->kernel_width - 1) * g->dilation_x - 1;
  g->out_width = wide < 0 ? 1 : wide / g->stride_x + 1;
  int gap = cvk_between(check, 0, 1) ? cvk_between(check, 0, 20) : 0;
  g->src_pixel = g->channels + gap, g->dst_pixel = g->channels + gap;
  g->output = output_of(check);
  c.taps = g->kernel_width * g->kernel_height;
  c.zero_point = cvk_between(check, 0, 255);
  c.src = cvk_source(check, (g->in_width - 1) * (int)g->src_pixel + g->channels, g->kernel_height, 1);
  for (int y = 0; y < g->kernel_height; y++)
    c.rows[y] = c.src.bytes + cvk_between(check, 0, g->kernel_height - 1) * c.src.stride;
  c.padding = cvk_source(check, g->channels, 1, 1);
  memset(c.padding.bytes, c.zero_point, (size_t)g->channels);
  g->padding = c.padding.bytes;
  c.weights = cvk_source(check, g->channels, c.taps, 1);
  c.bias = biases_of(check, g->channels);
  c.scales = scales_of(check, g->channels, c.taps);
  size_t bytes = cvk_q8_block_bytes(g->kernel_width, g->kernel_height, g->dilation_x) *
                 (size_t)cvk_q8_blocks(g->channels);
  c.packed = cvk_source(check, (int)bytes, 1, 64);
  cvk_s8_pack_depthwise(c.packed.bytes, (const int8_t *)c.weights.bytes, 1, c.weights.stride,
                        (const int32_t *)(const void *)c.bias.bytes, (const float *)(const void *)c.scales.bytes, g,
                        c.zero_point);
  return c;
}

void cvk_check_cvk_s8_pack_depthwise(cvk_check *check) {
  while (cvk_next_case(check)) {
    depthwise_case c = make_depthwise(check);
    cvk_q8_depthwise *g = &c.g;
    cvk_buffer blank = cvk_result(check, g->out_width * (int)g->dst_pixel, 1, 1);
    cvk_buffer wanted = cvk_result_like(check, blank);
    for (int x = 0; x < g->out_width; x++) {
      for (int o = 0; o < g->channels; o++) {
        int64_t sum = ((const int32_t *)(const void *)c.bias.bytes)[o];
        for (int tap = 0; tap < c.taps; tap++) {
          int ix = x * g->stride_x - g->pad_left + tap % g->kernel_width * g->dilation_x;
          if (ix < 0 || ix >= g->in_width) continue;
          int weight = ((const int8_t *)c.weights.bytes)[tap * c.weights.stride + o];
          sum += (c.rows[tap / g->kernel_width][ix * g->src_pixel + o] - c.zero_point) * weight;
        }
        float scale = ((const float *)(const void *)c.scales.bytes)[o];
        wanted.bytes[x * g->dst_pixel + o] = byte_of((double)(int32_t)sum, scale, g->output);
      }
    }
    CVK_EACH_VARIANT(check, cvk_s8_pack_depthwise, variant) {
      cvk_buffer packed = cvk_source(check, c.packed.row_bytes, 1, 64), got = cvk_result_like(check, blank);
      variant(packed.bytes, (const int8_t *)c.weights.bytes, 1, c.weights.stride,
              (const int32_t *)(const void *)c.bias.bytes, (const float *)(const void *)c.scales.bytes, g,
              c.zero_point);
      cvk_u8_depthwise__scalar(got.bytes, c.rows, packed.bytes, g, 0, cvk_q8_blocks(g->channels));
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_depthwise(cvk_check *check) {
  while (cvk_next_case(check)) {
    depthwise_case c = make_depthwise(check);
    cvk_buffer blank = cvk_result(check, c.g.out_width * (int)c.g.dst_pixel, 1, 1);
    cvk_buffer wanted = cvk_result_like(check, blank);
    int blocks = cvk_q8_blocks(c.g.channels), block = cvk_between(check, 0, blocks);
    cvk_u8_depthwise__scalar(wanted.bytes, c.rows, c.packed.bytes, &c.g, 0, blocks);
    CVK_EACH_VARIANT(check, cvk_u8_depthwise, variant) {
      cvk_buffer got = cvk_result_like(check, blank);
      variant(got.bytes, c.rows, c.packed.bytes, &c.g, 0, block);
      variant(got.bytes, c.rows, c.packed.bytes, &c.g, block, blocks);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
