/* Checks of resampling: the passes, whole resizes of constant images, and warps. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Weights with the sum 2^14; those from `count` to `room` are zero. */
static void random_weights(cvk_check *check, int16_t *weights, int count, int room) {
  int left = 1 << 14;
  memset(weights, 0, sizeof(int16_t) * (size_t)room);
  for (int k = 0; k + 1 < count; k++) {
    weights[k] = (int16_t)cvk_between(check, 0, left);
    left -= weights[k];
  }
  weights[count - 1] = (int16_t)left;
}

void cvk_check_cvk_u8_resize_columns(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 700), taps = cvk_size(check, 40), room = (taps + 1) / 2 * 2;
    cvk_buffer src = cvk_source(check, width, taps, 1), weights = cvk_source(check, 2 * room, 1, 2);
    random_weights(check, (int16_t *)(void *)weights.bytes, taps, room);
    cvk_buffer wanted = cvk_result(check, 2 * width, 1, 2);
    cvk_u8_resize_columns__scalar((int16_t *)(void *)wanted.bytes, src.bytes, src.stride, width,
                                  (int16_t *)(void *)weights.bytes, taps);
    CVK_EACH_VARIANT(check, cvk_u8_resize_columns, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant((int16_t *)(void *)got.bytes, src.bytes, src.stride, width, (int16_t *)(void *)weights.bytes, taps);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

#define ROWS(name, channels) \
  void cvk_check_##name(cvk_check *check) { \
    while (cvk_next_case(check)) { \
      int multiple = channels == 1 ? 8 : 2, taps = (cvk_size(check, 40) + multiple - 1) / multiple * multiple; \
      if (cvk_case(check) % 3 == 0) taps = 2; \
      int width = cvk_size(check, 60), height = cvk_size(check, 9), pixels = taps + cvk_between(check, 0, 200); \
      cvk_buffer src = cvk_source(check, 2 * (pixels * channels + 32), height, 2); \
      for (int y = 0; y < height; y++) \
        for (int x = 0; x < src.row_bytes / 2; x++) { \
          int16_t *value = (int16_t *)(void *)(src.bytes + y * src.stride) + x; \
          *value = (int16_t)(abs(*value) % 32641); \
        } \
      cvk_buffer firsts = cvk_source(check, 4 * width, 1, 4), weights = cvk_source(check, 2 * width * taps, 1, 2); \
      for (int x = 0; x < width; x++) { \
        int last = pixels - taps, near = (int)(x * (int64_t)cvk_case(check) / 32 % (last + 1)); \
        ((int32_t *)(void *)firsts.bytes)[x] = cvk_case(check) % 2 ? near : cvk_between(check, 0, last); \
        random_weights(check, (int16_t *)(void *)weights.bytes + x * taps, cvk_between(check, 1, taps), taps); \
      } \
      cvk_buffer wanted = cvk_result(check, width * channels, height, 1); \
      name##__scalar(wanted.bytes, wanted.stride, (int16_t *)(void *)src.bytes, src.stride, width, height, \
                     (int32_t *)(void *)firsts.bytes, (int16_t *)(void *)weights.bytes, taps); \
      CVK_EACH_VARIANT(check, name, variant) { \
        cvk_buffer got = cvk_result_like(check, wanted); \
        variant(got.bytes, got.stride, (int16_t *)(void *)src.bytes, src.stride, width, height, \
                (int32_t *)(void *)firsts.bytes, (int16_t *)(void *)weights.bytes, taps); \
        cvk_expect_equal(check, wanted, got); \
      } \
    } \
  }
ROWS(cvk_u8_resize_rows_c1, 1)
ROWS(cvk_u8_resize_rows_c3, 3)
ROWS(cvk_u8_resize_rows_c4, 4)

#define HALVE(name, channels) \
  void cvk_check_##name(cvk_check *check) { \
    while (cvk_next_case(check)) { \
      int width = cvk_size(check, 200), height = cvk_size(check, 9); \
      cvk_buffer src = cvk_source(check, 2 * width * channels, 2 * height, 1); \
      cvk_buffer wanted = cvk_result(check, width * channels, height, 1); \
      name##__scalar(wanted.bytes, wanted.stride, src.bytes, src.stride, width, height); \
      CVK_EACH_VARIANT(check, name, variant) { \
        cvk_buffer got = cvk_result_like(check, wanted); \
        variant(got.bytes, got.stride, src.bytes, src.stride, width, height); \
        cvk_expect_equal(check, wanted, got); \
      } \
    } \
  }
HALVE(cvk_u8_halve_c1, 1)
HALVE(cvk_u8_halve_c3, 3)
HALVE(cvk_u8_halve_c4, 4)

void cvk_check_cvk_f32_resize_columns(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 300), taps = cvk_size(check, 20);
    cvk_buffer src = cvk_float_source(check, width, taps, -1000, 1000);
    cvk_buffer weights = cvk_float_source(check, taps, 1, 0, 1);
    cvk_buffer wanted = cvk_result(check, 4 * width, 1, 4);
    cvk_f32_resize_columns__scalar((float *)(void *)wanted.bytes, (float *)(void *)src.bytes, src.stride, width,
                                   (float *)(void *)weights.bytes, taps);
    CVK_EACH_VARIANT(check, cvk_f32_resize_columns, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant((float *)(void *)got.bytes, (float *)(void *)src.bytes, src.stride, width, (float *)(void *)weights.bytes,
              taps);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

/* A whole resize keeps a constant image constant, for floats and for bytes with every filter and number of channels. */
static void expect_constants_stay(cvk_check *check) {
  static const int channel_counts[3] = {1, 3, 4};
  cvk_resize_shape shape = {.src_width = cvk_size(check, 300), .src_height = cvk_size(check, 60)};
  shape.dst_width = cvk_size(check, 90);
  shape.dst_height = cvk_size(check, 40);
  shape.x = cvk_float_between(check, 0, 0.9f) * (float)shape.src_width;
  shape.y = cvk_float_between(check, 0, 0.9f) * (float)shape.src_height;
  shape.columns = (shape.src_width - shape.x) * (double)cvk_float_between(check, 0.1f, 1);
  shape.rows = (shape.src_height - shape.y) * (double)cvk_float_between(check, 0.1f, 1);
  shape.filter = (enum cvk_filter)cvk_between(check, 0, 2);
  shape.is_float = cvk_case(check) % 4 == 0;
  shape.channels = shape.is_float ? 1 : channel_counts[cvk_between(check, 0, 2)];
  int unit = shape.is_float ? 4 : shape.channels;

  cvk_buffer memory = cvk_result(check, (int)cvk_resize_plan_bytes(&shape), 1, 64);
  cvk_resize_plan *plan = (cvk_resize_plan *)(void *)memory.bytes;
  cvk_resize_plan_make(plan, &shape);
  cvk_buffer scratch = cvk_result(check, (int)cvk_resize_scratch_bytes(plan) + 1, 1, 64);
  cvk_buffer src = cvk_source(check, unit * shape.src_width, shape.src_height, shape.is_float ? 4 : 1);
  cvk_buffer dst = cvk_result(check, unit * shape.dst_width, shape.dst_height, shape.is_float ? 4 : 1);
  cvk_buffer wanted = cvk_result_like(check, dst);
  cvk_buffer got = cvk_result_like(check, wanted);
  int level = cvk_between(check, 0, 255);
  float value = (float)level;
  for (int y = 0; y < src.rows; y++)
    for (int x = 0; x < src.row_bytes; x++)
      src.bytes[y * src.stride + x] = shape.is_float ? ((uint8_t *)&value)[x % 4] : (uint8_t)level;
  for (int y = 0; y < wanted.rows; y++)
    for (int x = 0; x < wanted.row_bytes; x++)
      wanted.bytes[y * wanted.stride + x] = shape.is_float ? ((uint8_t *)&value)[x % 4] : (uint8_t)level;
  if (shape.is_float) {
    cvk_resize_f32(plan, (float *)(void *)got.bytes, got.stride, (float *)(void *)src.bytes, src.stride, scratch.bytes);
    cvk_expect_close(check, wanted, got, 0, 1e-5f);
  } else {
    cvk_resize_u8(plan, got.bytes, got.stride, src.bytes, src.stride, scratch.bytes);
    cvk_expect_equal(check, wanted, got);
  }
}

void cvk_check_cvk_f32_resize_row(cvk_check *check) {
  while (cvk_next_case(check)) {
    expect_constants_stay(check);
    int taps = cvk_size(check, 40), width = cvk_size(check, 90), pixels = taps + cvk_between(check, 0, 200);
    if (cvk_case(check) % 4) taps = (taps + 3) / 4 * 4, pixels += 3;
    cvk_buffer src = cvk_float_source(check, pixels, 1, -1000, 1000);
    cvk_buffer weights = cvk_float_source(check, width * taps, 1, -1, 1);
    cvk_buffer firsts = cvk_source(check, 4 * width, 1, 4), counts = cvk_source(check, 4 * width, 1, 4);
    if (cvk_case(check) % 2) cvk_add_special_floats(check, src);
    for (int x = 0; x < width; x++) {
      ((int32_t *)(void *)firsts.bytes)[x] = cvk_between(check, 0, pixels - taps);
      ((int32_t *)(void *)counts.bytes)[x] = cvk_between(check, 1, taps);
    }
    cvk_buffer wanted = cvk_result(check, 4 * width, 1, 4);
    cvk_f32_resize_row__scalar((float *)(void *)wanted.bytes, (float *)(void *)src.bytes, width,
                               (int32_t *)(void *)firsts.bytes, (int32_t *)(void *)counts.bytes,
                               (float *)(void *)weights.bytes, taps);
    CVK_EACH_VARIANT(check, cvk_f32_resize_row, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant((float *)(void *)got.bytes, (float *)(void *)src.bytes, width, (int32_t *)(void *)firsts.bytes,
              (int32_t *)(void *)counts.bytes, (float *)(void *)weights.bytes, taps);
      cvk_expect_close(check, wanted, got, 0, 0); /* the same bits, except for NaNs */
    }
  }
}

static int64_t fixed(float value) { return (int64_t)((double)value * 4294967296.0); }

void cvk_check_cvk_u8_warp_affine(cvk_check *check) {
  static const int channel_counts[3] = {1, 3, 4};
  while (cvk_next_case(check)) {
    int channels = channel_counts[cvk_case(check) % 3], width = cvk_size(check, 90), height = cvk_size(check, 20);
    cvk_buffer src = cvk_source(check, cvk_size(check, 80) * channels, cvk_size(check, 40), 1);
    int src_width = src.row_bytes / channels;
    cvk_affine map = {fixed(cvk_float_between(check, -2, 2)), fixed(cvk_float_between(check, -2, 2)),
                      fixed(cvk_float_between(check, -40, 80)), fixed(cvk_float_between(check, -2, 2)),
                      fixed(cvk_float_between(check, -2, 2)), fixed(cvk_float_between(check, -40, 40))};
    if (cvk_case(check) % 4 == 0) /* whole pixels, so that the edges are hit exactly */
      map = (cvk_affine){fixed(1), 0, fixed((float)cvk_between(check, -9, 9)), 0, fixed(1),
                         fixed((float)cvk_between(check, -9, 9))};
    uint64_t bytes = cvk_random(check);
    uint8_t colour[4];
    memcpy(colour, &bytes, 4);
    int border = cvk_between(check, 0, 1);
    cvk_buffer wanted = cvk_result(check, width * channels, height, 1);
    cvk_u8_warp_affine__scalar(wanted.bytes, wanted.stride, src.bytes, src.stride, width, height, src_width, src.rows,
                               channels, &map, border, colour);
    CVK_EACH_VARIANT(check, cvk_u8_warp_affine, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, got.stride, src.bytes, src.stride, width, height, src_width, src.rows, channels, &map, border,
              colour);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
