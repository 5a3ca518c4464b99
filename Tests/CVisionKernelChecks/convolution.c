/* Checks of convolutions and matrix products. Scalar is checked against sums in double precision over the unpacked
 * weights, the other variants against scalar. */
#include <math.h>
#include <string.h>

#include "check.h"

/* Rounding errors are relative to the sum of the products' magnitudes; each product and sum rounds once. */
static float bound_of(double magnitude, int64_t terms) {
  return (float)(6e-8 * magnitude * (4 + 2 * sqrt((double)terms)) + 1e-6);
}

static float *floats(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }

static int any_of(cvk_check *check, int count, const int *values) { return values[cvk_between(check, 0, count - 1)]; }

/* The strides, in floats, of the dimensions in the layout `order`; "oyxi" is output, row, column, input. */
typedef struct arrangement {
  ptrdiff_t output, row, column, input;
} arrangement;

static arrangement any_arrangement(cvk_check *check, const cvk_convolution *c) {
  ptrdiff_t o = c->output_channels, i = c->input_channels, h = c->kernel_height, w = c->kernel_width;
  switch (cvk_between(check, 0, 2)) {
  case 0: return (arrangement){h * w * i, w * i, i, 1};
  case 1: return (arrangement){i * h * w, w, 1, h * w};
  default: return (arrangement){1, w * i * o, i * o, o};
  }
}

/* Sizes of the result; the input has the size that they need or less, so that some sides are padded. */
static cvk_convolution any_convolution(cvk_check *check, int winograd) {
  cvk_convolution c = {0};
  int plain = !winograd && cvk_between(check, 0, 2) == 0, large = cvk_case(check) % 10 == 3;
  static const int kernels[] = {1, 2, 3, 3, 5, 7};
  c.kernel_height = plain ? 1 : any_of(check, 6, kernels);
  c.kernel_width = plain ? 1 : cvk_between(check, 0, 2) ? c.kernel_height : any_of(check, 6, kernels);
  c.stride_y = cvk_between(check, 0, 2) ? 1 : cvk_between(check, 1, 3);
  c.stride_x = cvk_between(check, 0, 2) ? c.stride_y : cvk_between(check, 1, 3);
  c.dilation_y = cvk_between(check, 0, 4) ? 1 : cvk_between(check, 1, 4);
  c.dilation_x = cvk_between(check, 0, 4) ? c.dilation_y : cvk_between(check, 1, 20);
  if (winograd) {
    c.kernel_height = c.kernel_width = 3;
    c.stride_y = c.stride_x = c.dilation_y = c.dilation_x = 1;
  }
  c.input_channels = cvk_size(check, large ? 300 : 20);
  c.output_channels = cvk_size(check, large ? 150 : 70);
  if (cvk_between(check, 0, 5) == 0) c.input_channels = 3;
  c.output_height = cvk_size(check, large ? 4 : 6);
  c.output_width = cvk_size(check, large ? 10 : 64);
  if (cvk_between(check, 0, 9) == 0) c.output_height = 1, c.output_width = cvk_between(check, 1, 3);
  int wanted_height = (c.output_height - 1) * c.stride_y + (c.kernel_height - 1) * c.dilation_y + 1;
  int wanted_width = (c.output_width - 1) * c.stride_x + (c.kernel_width - 1) * c.dilation_x + 1;
  c.input_height = wanted_height, c.input_width = wanted_width;
  if (cvk_between(check, 0, 2)) { /* padding, or an image that is larger than the part that is read */
    c.pad_top = cvk_between(check, -1, (c.kernel_height - 1) * c.dilation_y);
    c.pad_left = cvk_between(check, -1, (c.kernel_width - 1) * c.dilation_x);
    c.input_height += cvk_between(check, -2, 2) - c.pad_top, c.input_width += cvk_between(check, -2, 2) - c.pad_left;
    c.input_height = c.input_height < 1 ? 1 : c.input_height, c.input_width = c.input_width < 1 ? 1 : c.input_width;
  }
  c.residual = cvk_between(check, 0, 1) ? CVK_RESIDUAL_NONE : (enum cvk_residual)cvk_between(check, 1, 2);
  c.residual_channels = cvk_between(check, 0, 1) ? c.output_channels : cvk_between(check, 1, c.output_channels);
  c.activation.kind = cvk_between(check, 0, 1) ? (enum cvk_activation_kind)cvk_between(check, 0, 3)
                                               : (enum cvk_activation_kind)
                                                     cvk_between(check, 0, CVK_ACTIVATION_KINDS - 1);
  c.activation.a = 0.3f, c.activation.b = 0.6f;
  return c;
}

/* Pixels of `channels` floats, *step floats apart. The buffer's rows are the image's. */
static cvk_buffer any_image(cvk_check *check, int width, int height, int channels, int result, ptrdiff_t *pixel) {
  int step = channels + (cvk_between(check, 0, 2) ? 0 : cvk_between(check, 1, 20));
  *pixel = (ptrdiff_t)step * 4;
  int row = (width - 1) * step + channels;
  return result ? cvk_result(check, row * 4, height, 4) : cvk_float_source(check, row, height, -1, 1);
}

/* Computes an element in double precision; *magnitude receives the sum of the absolute products. */
static double exact(const cvk_convolution *c, cvk_buffer src, const float *weights, arrangement steps,
                    const float *bias, int y, int x, int n, double *magnitude) {
  double sum = bias ? bias[n] : 0;
  *magnitude = fabs(sum);
  for (int ky = 0; ky < c->kernel_height; ky++) {
    for (int kx = 0; kx < c->kernel_width; kx++) {
      int sy = y * c->stride_y - c->pad_top + ky * c->dilation_y,
          sx = x * c->stride_x - c->pad_left + kx * c->dilation_x;
      if (sy < 0 || sy >= c->input_height || sx < 0 || sx >= c->input_width) continue;
      for (int k = 0; k < c->input_channels; k++) {
        double product = (double)floats(src)[sy * c->src_row / 4 + sx * c->src_pixel / 4 + k] *
                         (double)weights[n * steps.output + ky * steps.row + kx * steps.column + k * steps.input];
        sum += product, *magnitude += fabs(product);
      }
    }
  }
  return sum;
}

/* An algorithm for convolutions. */
typedef struct algorithm {
  int winograd;
  size_t (*packed_count)(const cvk_convolution *c);
  size_t (*work_bytes)(const cvk_convolution *c);
  cvk_f32_pack_convolution__function pack;
  cvk_f32_convolve__function reference;
  float error; /* relative to that of plain sums */
} algorithm;

void cvk_check_cvk_f32_pack_convolution(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_convolution c = any_convolution(check, 0);
    arrangement steps = any_arrangement(check, &c);
    int count = c.output_channels * c.input_channels * c.kernel_height * c.kernel_width;
    cvk_buffer weights = cvk_float_source(check, count, 1, -1, 1);
    cvk_buffer bias = cvk_float_source(check, c.output_channels, 1, -1, 1);
    cvk_buffer packed = cvk_result(check, (int)cvk_f32_convolution_packed_count(&c) * 4, 1, 4);
    const float *given = cvk_between(check, 0, 3) ? floats(bias) : NULL;
    cvk_f32_pack_convolution__scalar(floats(packed), floats(weights), steps.output, steps.row, steps.column,
                                     steps.input, given, &c);
    CVK_EACH_VARIANT(check, cvk_f32_pack_convolution, variant) {
      cvk_buffer got = cvk_result_like(check, packed);
      variant(floats(got), floats(weights), steps.output, steps.row, steps.column, steps.input, given, &c);
      cvk_expect_equal(check, packed, got);
    }
  }
}

static void check_algorithm(cvk_check *check, const algorithm *algorithm) {
  while (cvk_next_case(check)) {
    cvk_convolution c = any_convolution(check, algorithm->winograd);
    arrangement steps = any_arrangement(check, &c);
    int terms = c.input_channels * c.kernel_height * c.kernel_width;
    cvk_buffer weights = cvk_float_source(check, terms * c.output_channels, 1, -1, 1);
    cvk_buffer bias = cvk_float_source(check, c.output_channels, 1, -1, 1);
    cvk_buffer slopes = cvk_float_source(check, c.output_channels, 1, -1, 1);
    c.activation.slopes = floats(slopes);
    cvk_buffer src = any_image(check, c.input_width, c.input_height, c.input_channels, 0, &c.src_pixel);
    cvk_buffer residual =
        any_image(check, c.output_width, c.output_height, c.residual_channels, 0, &c.residual_pixel);
    cvk_buffer wanted = any_image(check, c.output_width, c.output_height, c.output_channels, 1, &c.dst_pixel);
    c.src_row = src.stride, c.residual_row = residual.stride, c.dst_row = wanted.stride;
    cvk_buffer packed = cvk_result(check, (int)algorithm->packed_count(&c) * 4, 1, 64);
    algorithm->pack(floats(packed), floats(weights), steps.output, steps.row, steps.column, steps.input, floats(bias),
                    &c);
    /* The padding between pixels must not change: it is the same in all results. */
    for (int y = 0; y < wanted.rows; y++) memset(wanted.bytes + y * wanted.stride, 0x11, (size_t)wanted.row_bytes);
    cvk_buffer start = cvk_result_like(check, wanted);
    for (int y = 0; y < wanted.rows; y++) memset(start.bytes + y * wanted.stride, 0x11, (size_t)wanted.row_bytes);
    const float *other = c.residual ? floats(residual) : NULL;
    void *no_work = cvk_result(check, (int)algorithm->work_bytes(&c), 1, 4).bytes;
    algorithm->reference(floats(wanted), floats(src), other, floats(packed), &c, 0, c.output_height, 0,
                         c.output_channels, no_work);

    cvk_convolution bare = c;
    bare.residual = CVK_RESIDUAL_NONE, bare.activation.kind = CVK_ACTIVATION_NONE;
    cvk_buffer sums = cvk_result_like(check, wanted);
    algorithm->reference(floats(sums), floats(src), NULL, floats(packed), &bare, 0, c.output_height, 0,
                         c.output_channels, no_work);
    for (int i = 0; i < 20; i++) {
      int y = cvk_between(check, 0, c.output_height - 1), x = cvk_between(check, 0, c.output_width - 1);
      int n = cvk_between(check, 0, c.output_channels - 1);
      double magnitude, sum = exact(&c, src, floats(weights), steps, floats(bias), y, x, n, &magnitude);
      float got = floats(sums)[y * c.dst_row / 4 + x * c.dst_pixel / 4 + n];
      float bound = algorithm->error * bound_of(algorithm->winograd ? terms : magnitude, terms);
      cvk_expect(check, fabs(got - sum) <= bound, "an element differs from the sum that defines it");
    }
    /* The slope of all activations is at most 1.1, except for hard swish with its parameters: 2. */
    float bound = 2 * algorithm->error * bound_of(1 + terms, terms);
    int row = cvk_between(check, 0, c.output_height), panels = (c.output_channels + CVK_PANEL - 1) / CVK_PANEL;
    int channel = cvk_between(check, 0, panels) * CVK_PANEL;
    channel = channel > c.output_channels ? c.output_channels : channel;
    if (algorithm->winograd && row < c.output_height) row -= row % 4;
    CVK_EACH_VARIANT(check, cvk_f32_convolve, variant) {
      cvk_buffer whole = cvk_result_like(check, start), parts = cvk_result_like(check, start);
      for (int y = 0; y < wanted.rows; y++) {
        memset(whole.bytes + y * whole.stride, 0x11, (size_t)whole.row_bytes);
        memset(parts.bytes + y * whole.stride, 0x11, (size_t)whole.row_bytes);
      }
      cvk_buffer work = cvk_result(check, (int)algorithm->work_bytes(&c), 1, 4);
      cvk_buffer work_guards = cvk_result_like(check, work);
      memcpy(work.whole, work_guards.whole, work.whole_bytes);
      variant(floats(whole), floats(src), other, floats(packed), &c, 0, c.output_height, 0, c.output_channels,
              work.bytes);
      cvk_expect_close(check, wanted, whole, bound, 0);
      /* Four separate parts must give the same bits. */
      for (int part = 0; part < 4; part++) {
        variant(floats(parts), floats(src), other, floats(packed), &c, part & 1 ? row : 0,
                part & 1 ? c.output_height : row, part & 2 ? channel : 0, part & 2 ? c.output_channels : channel,
                work.bytes);
      }
      cvk_expect_equal(check, whole, parts);
      memset(work_guards.bytes, 0, (size_t)work_guards.row_bytes), memset(work.bytes, 0, (size_t)work.row_bytes);
      cvk_expect_equal(check, work_guards, work);
      if (c.residual == CVK_RESIDUAL_NONE || c.residual_channels < c.output_channels) continue;
      /* The residual in the memory of the result. */
      cvk_convolution same = c;
      same.residual_row = c.dst_row, same.residual_pixel = c.dst_pixel;
      for (int y = 0; y < c.output_height; y++) {
        for (int x = 0; x < c.output_width; x++) {
          memcpy(parts.bytes + y * c.dst_row + x * c.dst_pixel,
                 residual.bytes + y * c.residual_row + x * c.residual_pixel, (size_t)c.output_channels * 4);
        }
      }
      variant(floats(parts), floats(src), floats(parts), floats(packed), &same, 0, c.output_height, 0,
              c.output_channels, work.bytes);
      cvk_expect_equal(check, whole, parts);
    }
  }
}

void cvk_check_cvk_f32_convolve(cvk_check *check) {
  const algorithm algorithm = {0, cvk_f32_convolution_packed_count, cvk_f32_convolution_work_bytes,
                               cvk_f32_pack_convolution__scalar, cvk_f32_convolve__scalar, 1};
  check_algorithm(check, &algorithm);
}

void cvk_check_cvk_f32_winograd(cvk_check *check) {
  /* The transforms' intermediate products are larger than the convolution's. */
  const algorithm algorithm = {1, cvk_f32_winograd_packed_count, cvk_f32_winograd_work_bytes,
                               cvk_f32_pack_winograd__scalar, cvk_f32_winograd__scalar, 3};
  check_algorithm(check, &algorithm);
}

void cvk_check_cvk_f32_pack_winograd(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_convolution c = any_convolution(check, 1);
    arrangement steps = any_arrangement(check, &c);
    cvk_buffer weights = cvk_float_source(check, c.output_channels * c.input_channels * 9, 1, -1, 1);
    cvk_buffer bias = cvk_float_source(check, c.output_channels, 1, -1, 1);
    cvk_buffer packed = cvk_result(check, (int)cvk_f32_winograd_packed_count(&c) * 4, 1, 4);
    cvk_f32_pack_winograd__scalar(floats(packed), floats(weights), steps.output, steps.row, steps.column, steps.input,
                                  floats(bias), &c);
    CVK_EACH_VARIANT(check, cvk_f32_pack_winograd, variant) {
      cvk_buffer got = cvk_result_like(check, packed);
      variant(floats(got), floats(weights), steps.output, steps.row, steps.column, steps.input, floats(bias), &c);
      cvk_expect_equal(check, packed, got);
    }
  }
}

void cvk_check_cvk_f32_multiply(cvk_check *check) {
  while (cvk_next_case(check)) {
    int large = cvk_case(check) % 10 == 3;
    int rows = cvk_size(check, large ? 100 : 30), columns = cvk_size(check, large ? 200 : 50);
    int inner = cvk_size(check, large ? 400 : 60);
    int a_transposed = cvk_between(check, 0, 1), b_transposed = cvk_between(check, 0, 1);
    cvk_buffer a = a_transposed ? cvk_float_source(check, rows, inner, -1, 1)
        : cvk_float_source(check, inner, rows, -1, 1);
    cvk_buffer b = b_transposed ? cvk_float_source(check, inner, columns, -1, 1)
                            : cvk_float_source(check, columns, inner, -1, 1);
    ptrdiff_t a_row = a_transposed ? 4 : a.stride, a_column = a_transposed ? a.stride : 4;
    ptrdiff_t b_row = b_transposed ? 4 : b.stride, b_column = b_transposed ? b.stride : 4;
    float scale = cvk_between(check, 0, 1) ? 1 : 0.5f, bound = bound_of(inner, inner);
    cvk_buffer wanted = cvk_result(check, columns * 4, rows, 4);
    cvk_buffer work = cvk_result(check, (int)cvk_f32_multiply_work_bytes(rows, columns, inner), 1, 4);
    cvk_f32_multiply__scalar(floats(wanted), wanted.stride, floats(a), a_row, a_column, floats(b), b_row, b_column,
                             rows, columns, inner, scale, work.bytes);
    for (int i = 0; i < 20; i++) {
      int y = cvk_between(check, 0, rows - 1), x = cvk_between(check, 0, columns - 1);
      double sum = 0;
      for (int k = 0; k < inner; k++)
        sum += (double)floats(a)[(y * a_row + k * a_column) / 4] * (double)floats(b)[(k * b_row + x * b_column) / 4];
      cvk_expect(check, fabs(floats(wanted)[y * wanted.stride / 4 + x] - sum * (double)scale) <= bound,
                 "an element differs from the sum that defines it");
    }
    CVK_EACH_VARIANT(check, cvk_f32_multiply, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), wanted.stride, floats(a), a_row, a_column, floats(b), b_row, b_column, rows, columns, inner,
              scale, work.bytes);
      cvk_expect_close(check, wanted, got, bound, 0);
    }
  }
}
