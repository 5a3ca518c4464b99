/* Checks of the element-wise operators and of pooling in 8-bit integers. The expected values are computed here, in
 * double precision where that is exact, and not taken from the scalar variant. */
#include <math.h>
#include <string.h>

#include "check.h"

static cvk_q8_output output_of(cvk_check *check) {
  cvk_q8_output output = {cvk_between(check, 0, 255), 0, 255};
  if (cvk_between(check, 0, 1)) {
    output.low = cvk_between(check, 0, 255);
    output.high = cvk_between(check, output.low, 255);
  }
  return output;
}

static uint8_t byte_of(float value, const cvk_q8_output *output) {
  float byte = rintf(value > 70000 ? 70000 : value > -70000 ? value : -70000) + (float)output->zero_point;
  return (uint8_t)(byte < (float)output->low ? output->low : byte > (float)output->high ? output->high : (int)byte);
}

void cvk_check_cvk_f32_quantise(cvk_check *check) {
  while (cvk_next_case(check)) {
    int count = cvk_size(check, 300), zero = cvk_between(check, 0, 255), flip = cvk_between(check, 0, 1) * 128;
    float scale = cvk_between(check, 0, 2) ? cvk_float_between(check, 0.001f, 0.1f) : 0.5f;
    cvk_buffer src = cvk_float_source(check, count, 1, -20, 20);
    if (cvk_between(check, 0, 1)) { /* halves */
      for (int i = 0; i < count; i++) ((float *)(void *)src.bytes)[i] = (float)cvk_between(check, -700, 700) * 0.25f;
    }
    if (cvk_between(check, 0, 2) == 0) cvk_add_special_floats(check, src);
    cvk_buffer wanted = cvk_result(check, count, 1, 1);
    cvk_q8_output output = {zero, 0, 255};
    for (int i = 0; i < count; i++) {
      float value = ((const float *)(const void *)src.bytes)[i];
      wanted.bytes[i] = (uint8_t)((isnan(value) ? 0 : byte_of(value / scale, &output)) ^ flip);
    }
    CVK_EACH_VARIANT(check, cvk_f32_quantise, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, (const float *)(const void *)src.bytes, (size_t)count, scale, zero, flip);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_quantise_planes(cvk_check *check) {
  while (cvk_next_case(check)) {
    int pixels = cvk_size(check, 200), channels = cvk_between(check, 1, 8), zero = cvk_between(check, 0, 255);
    float scale = cvk_float_between(check, 0.001f, 0.1f);
    cvk_buffer src = cvk_float_source(check, pixels, channels, -5, 5),
        wanted = cvk_result(check, pixels * channels, 1, 1);
    cvk_q8_output output = {zero, 0, 255};
    for (int i = 0; i < pixels * channels; i++) {
      const float *plane = (const float *)(const void *)(src.bytes + i % channels * src.stride);
      wanted.bytes[i] = byte_of(plane[i / channels] / scale, &output);
    }
    CVK_EACH_VARIANT(check, cvk_f32_quantise_planes, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, (const float *)(const void *)src.bytes, src.stride / 4, pixels, channels, scale, zero);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_dequantise(cvk_check *check) {
  while (cvk_next_case(check)) {
    int count = cvk_size(check, 300), zero = cvk_between(check, 0, 255), flip = cvk_between(check, 0, 1) * 128;
    float scale = cvk_float_between(check, 0.001f, 2);
    cvk_buffer src = cvk_source(check, count, 1, 1), wanted = cvk_result(check, count * 4, 1, 4);
    for (int i = 0; i < count; i++) ((float *)(void *)wanted.bytes)[i] = scale * (float)((src.bytes[i] ^ flip) - zero);
    CVK_EACH_VARIANT(check, cvk_u8_dequantise, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant((float *)(void *)got.bytes, src.bytes, (size_t)count, scale, zero, flip);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_lookup(cvk_check *check) {
  while (cvk_next_case(check)) {
    int count = cvk_size(check, 300);
    cvk_buffer src = cvk_source(check, count, 1, 1), table = cvk_source(check, 256, 1, 1);
    cvk_buffer wanted = cvk_result(check, count, 1, 1);
    for (int i = 0; i < count; i++) wanted.bytes[i] = table.bytes[src.bytes[i]];
    CVK_EACH_VARIANT(check, cvk_u8_lookup, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, src.bytes, (size_t)count, table.bytes);
      cvk_expect_equal(check, wanted, got);
      memcpy(got.bytes, src.bytes, (size_t)count); /* in place */
      variant(got.bytes, got.bytes, (size_t)count, table.bytes);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

typedef struct pair {
  int width, height, zero_a, zero_b;
  cvk_buffer a, b;
  ptrdiff_t b_stride;
  cvk_q8_output output;
} pair;

static pair make_pair(cvk_check *check) {
  pair p = {.width = cvk_size(check, 200), .height = cvk_size(check, 5)};
  p.a = cvk_source(check, p.width, p.height, 1);
  p.b = cvk_source(check, p.width, p.height, 1);
  p.b_stride = cvk_between(check, 0, 3) ? p.b.stride : 0;
  p.zero_a = cvk_between(check, 0, 255), p.zero_b = cvk_between(check, 0, 255);
  p.output = output_of(check);
  return p;
}

void cvk_check_cvk_u8_add(cvk_check *check) {
  while (cvk_next_case(check)) {
    pair p = make_pair(check);
    float scale_a = cvk_float_between(check, 0.1f, 3),
        scale_b = cvk_between(check, 0, 2) ? cvk_float_between(check, 0.1f, 3) : 0.5f;
    if (cvk_between(check, 0, 3) == 0) scale_a = 1.5f;
    cvk_buffer wanted = cvk_result(check, p.width, p.height, 1);
    for (int y = 0; y < p.height; y++) {
      for (int x = 0; x < p.width; x++) {
        float a = scale_a * (float)(p.a.bytes[y * p.a.stride + x] - p.zero_a);
        float b = scale_b * (float)(p.b.bytes[y * p.b_stride + x] - p.zero_b);
        wanted.bytes[y * wanted.stride + x] = byte_of(a + b, &p.output);
      }
    }
    CVK_EACH_VARIANT(check, cvk_u8_add, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, got.stride, p.a.bytes, p.a.stride, p.b.bytes, p.b_stride, p.width, p.height, scale_a, p.zero_a,
              scale_b, p.zero_b, &p.output);
      cvk_expect_equal(check, wanted, got);
      for (int y = 0; y < p.height; y++)
        memcpy(got.bytes + y * got.stride, p.a.bytes + y * p.a.stride, (size_t)p.width);
      variant(got.bytes, got.stride, got.bytes, got.stride, p.b.bytes, p.b_stride, p.width, p.height, scale_a, p.zero_a,
              scale_b, p.zero_b, &p.output);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_multiply(cvk_check *check) {
  while (cvk_next_case(check)) {
    pair p = make_pair(check);
    float scale = cvk_between(check, 0, 2) ? cvk_float_between(check, 0.001f, 0.1f) : 0.5f;
    cvk_buffer wanted = cvk_result(check, p.width, p.height, 1);
    for (int y = 0; y < p.height; y++) {
      for (int x = 0; x < p.width; x++) {
        int product = (p.a.bytes[y * p.a.stride + x] - p.zero_a) * (p.b.bytes[y * p.b_stride + x] - p.zero_b);
        wanted.bytes[y * wanted.stride + x] = byte_of((float)product * scale, &p.output);
      }
    }
    CVK_EACH_VARIANT(check, cvk_u8_multiply, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, got.stride, p.a.bytes, p.a.stride, p.b.bytes, p.b_stride, p.width, p.height, scale, p.zero_a,
              p.zero_b, &p.output);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

typedef struct pooling_case {
  cvk_q8_pooling g;
  cvk_buffer src, blank;
  const uint8_t *rows[8];
} pooling_case;

static pooling_case make_pooling(cvk_check *check) {
  pooling_case c;
  memset(&c, 0, sizeof c);
  cvk_q8_pooling *g = &c.g;
  g->in_width = cvk_size(check, 40), g->channels = cvk_size(check, 150);
  g->kernel_width = cvk_between(check, 0, 4) ? cvk_between(check, 1, 5) : g->in_width;
  g->kernel_height = cvk_between(check, 1, 8);
  g->stride_x = cvk_between(check, 1, 3), g->dilation_x = cvk_between(check, 0, 3) ? 1 : cvk_between(check, 1, 4);
  g->pad_left = cvk_between(check, 0, 3);
  /* some windows may be empty */
  g->out_width = (g->in_width + g->pad_left + cvk_between(check, 0, 3)) / g->stride_x + 1;
  int gap = cvk_between(check, 0, 1) * cvk_between(check, 0, 20);
  g->src_pixel = g->dst_pixel = g->channels + gap;
  c.src = cvk_source(check, (g->in_width - 1) * (int)g->src_pixel + g->channels, g->kernel_height, 1);
  for (int y = 0; y < g->kernel_height; y++) c.rows[y] = c.src.bytes + y * c.src.stride;
  c.blank = cvk_result(check, g->out_width * (int)g->dst_pixel, 1, 1);
  return c;
}

void cvk_check_cvk_u8_average_pool(cvk_check *check) {
  while (cvk_next_case(check)) {
    pooling_case c = make_pooling(check);
    const cvk_q8_pooling *g = &c.g;
    int zero = cvk_between(check, 0, 255), divisor = cvk_between(check, 0, 1) * g->kernel_width * g->kernel_height;
    float scale = cvk_float_between(check, 0.2f, 3);
    cvk_q8_output output = output_of(check);
    cvk_buffer wanted = cvk_result_like(check, c.blank);
    for (int x = 0; x < g->out_width; x++) {
      for (int i = 0; i < g->channels; i++) {
        int sum = 0, count = 0;
        for (int k = 0; k < g->kernel_width * g->kernel_height; k++) {
          int ix = x * g->stride_x - g->pad_left + k % g->kernel_width * g->dilation_x;
          if (ix < 0 || ix >= g->in_width) continue;
          sum += c.rows[k / g->kernel_width][ix * g->src_pixel + i] - zero, count++;
        }
        float factor = scale / (float)(divisor ? divisor : count ? count : 1);
        wanted.bytes[x * g->dst_pixel + i] = byte_of((float)sum * factor, &output);
      }
    }
    CVK_EACH_VARIANT(check, cvk_u8_average_pool, variant) {
      cvk_buffer got = cvk_result_like(check, c.blank);
      variant(got.bytes, c.rows, g, scale, zero, divisor, &output);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_max_pool(cvk_check *check) {
  while (cvk_next_case(check)) {
    pooling_case c = make_pooling(check);
    const cvk_q8_pooling *g = &c.g;
    cvk_buffer wanted = cvk_result_like(check, c.blank);
    for (int x = 0; x < g->out_width; x++) {
      for (int i = 0; i < g->channels; i++) {
        uint8_t best = 0;
        for (int k = 0; k < g->kernel_width * g->kernel_height; k++) {
          int ix = x * g->stride_x - g->pad_left + k % g->kernel_width * g->dilation_x;
          if (ix < 0 || ix >= g->in_width) continue;
          uint8_t byte = c.rows[k / g->kernel_width][ix * g->src_pixel + i];
          if (byte > best) best = byte;
        }
        wanted.bytes[x * g->dst_pixel + i] = best;
      }
    }
    CVK_EACH_VARIANT(check, cvk_u8_max_pool, variant) {
      cvk_buffer got = cvk_result_like(check, c.blank);
      variant(got.bytes, c.rows, g);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
