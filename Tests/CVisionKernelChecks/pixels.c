/* Checks of colour conversion, orientation and float layouts. */
#include <string.h>

#include "check.h"

static void random_order(cvk_check *check, uint8_t *order, int count, int source_channels) {
  for (int i = 0; i < count; i++) {
    int channel = cvk_between(check, 0, source_channels);
    order[i] = channel == source_channels ? CVK_OPAQUE : (uint8_t)channel;
  }
}

/* Weights with the sum 2^15, extreme ones in the first cases. */
static void random_weights(cvk_check *check, int16_t *weights, int count) {
  int left = 1 << 15;
  memset(weights, 0, sizeof(int16_t) * (size_t)count);
  for (int i = 0; i < count - 1; i++) {
    int take = cvk_between(check, 0, left < 32767 ? left : 32767);
    weights[i] = (int16_t)take;
    left -= take;
  }
  weights[count - 1] = (int16_t)(left > 32767 ? 32767 : left);
}

#define CHECK(name, dst_bytes, dst_alignment, src_bytes, src_alignment, dst_type, src_type, setup, ...) \
  void cvk_check_##name(cvk_check *check) { \
    while (cvk_next_case(check)) { \
      int width = cvk_size(check, 300), height = cvk_size(check, 9); \
      cvk_buffer src = cvk_source(check, width * src_bytes, height, src_alignment); \
      setup; \
      cvk_buffer wanted = cvk_result(check, width * dst_bytes, height, dst_alignment); \
      name##__scalar((dst_type *)(void *)wanted.bytes, wanted.stride, (const src_type *)(const void *)src.bytes, \
                     src.stride, width, height __VA_ARGS__); \
      CVK_EACH_VARIANT(check, name, variant) { \
        cvk_buffer got = cvk_result_like(check, wanted); \
        variant((dst_type *)(void *)got.bytes, got.stride, (const src_type *)(const void *)src.bytes, src.stride, \
                width, height __VA_ARGS__); \
        cvk_expect_equal(check, wanted, got); \
      } \
    } \
  }
#define BYTES(name, dst_bytes, src_bytes, setup, ...) \
  CHECK(name, dst_bytes, 1, src_bytes, 1, uint8_t, uint8_t, setup, __VA_ARGS__)
#define COMMA ,

BYTES(cvk_u8_grey_from_c4, 1, 4, int16_t weights[4]; random_weights(check, weights, 4), COMMA weights)
BYTES(cvk_u8_grey_from_c3, 1, 3, int16_t weights[3]; random_weights(check, weights, 3), COMMA weights)
BYTES(cvk_u8_c4_from_c4, 4, 4, uint8_t order[4]; random_order(check, order, 4, 4), COMMA order)
BYTES(cvk_u8_c4_from_c3, 4, 3, uint8_t order[4]; random_order(check, order, 4, 3), COMMA order)
BYTES(cvk_u8_c3_from_c4, 3, 4, uint8_t order[3]; random_order(check, order, 3, 4), COMMA order)
BYTES(cvk_u8_c3_from_c3, 3, 3, uint8_t order[3]; random_order(check, order, 3, 3), COMMA order)
BYTES(cvk_u8_c4_from_grey, 4, 1, int alpha = cvk_between(check, 0, 3), COMMA alpha)
BYTES(cvk_u8_c3_from_grey, 3, 1, , )
BYTES(cvk_u8_grey_from_video_luma, 1, 1, , )
BYTES(cvk_b1_mirror, 1, 1, , )
BYTES(cvk_b3_mirror, 3, 3, , )
BYTES(cvk_b4_mirror, 4, 4, , )
BYTES(cvk_b1_copy, 1, 1, , )

#define SCALES \
  float scale = cvk_case(check) ? cvk_float_between(check, -2, 2) : 1; \
  float bias = cvk_case(check) ? cvk_float_between(check, -300, 300) : 0
CHECK(cvk_f32_from_u8, 4, 4, 1, 1, float, uint8_t, SCALES, COMMA scale COMMA bias)
CHECK(cvk_u8_from_f32, 1, 1, 4, 4, uint8_t, float, SCALES; cvk_add_special_floats(check, src), COMMA scale COMMA bias)

#define SCALES_3 \
  float scale[3], bias[3]; \
  for (int i = 0; i < 3; i++) scale[i] = cvk_float_between(check, -2, 2), bias[i] = cvk_float_between(check, -300, 300)
CHECK(cvk_f32_interleaved_from_c3, 12, 4, 3, 1, float, uint8_t, SCALES_3, COMMA scale COMMA bias)

void cvk_check_cvk_f32_from_f16(cvk_check *check) {
  while (cvk_next_case(check)) {
    /* The first cases go through all halves; random bytes hold NaNs of every kind. */
    int width = cvk_case(check) < 2 ? 8192 : cvk_size(check, 300),
        height = cvk_case(check) < 2 ? 8 : cvk_size(check, 9);
    cvk_buffer src = cvk_source(check, width * 2, height, 2);
    for (int i = 0; i < width * height && cvk_case(check) < 2; i++) {
      uint16_t half = (uint16_t)i;
      memcpy(src.bytes + i / width * src.stride + i % width * 2, &half, 2);
    }
    cvk_buffer wanted = cvk_result(check, width * 4, height, 4);
    cvk_f32_from_f16__scalar((float *)(void *)wanted.bytes, wanted.stride, (const uint16_t *)(const void *)src.bytes,
                             src.stride, width, height);
    CVK_EACH_VARIANT(check, cvk_f32_from_f16, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant((float *)(void *)got.bytes, got.stride, (const uint16_t *)(const void *)src.bytes, src.stride, width,
              height);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

/* The planes are one buffer of 3 * height rows, so padding between rows and planes is guarded alike. */
#define PLANAR_FLOAT(name, channels, setup, ...) \
  void cvk_check_##name(cvk_check *check) { \
    while (cvk_next_case(check)) { \
      int width = cvk_size(check, 200), height = cvk_size(check, 7); \
      cvk_buffer src = cvk_source(check, width * channels, height, 1); \
      SCALES_3; \
      setup; \
      cvk_buffer wanted = cvk_result(check, width * 4, 3 * height, 4); \
      name##__scalar((float *)(void *)wanted.bytes, wanted.stride, wanted.stride * height, src.bytes, src.stride, \
                     width, height, __VA_ARGS__); \
      CVK_EACH_VARIANT(check, name, variant) { \
        cvk_buffer got = cvk_result_like(check, wanted); \
        variant((float *)(void *)got.bytes, got.stride, got.stride * height, src.bytes, src.stride, width, height, \
                __VA_ARGS__); \
        cvk_expect_equal(check, wanted, got); \
      } \
    } \
  }
PLANAR_FLOAT(cvk_f32_planar_from_c4, 4,
             uint8_t order[3];
             for (int i = 0; i < 3; i++) order[i] = (uint8_t)cvk_between(check, 0, 3), order, scale, bias)
PLANAR_FLOAT(cvk_f32_planar_from_c3, 3, , scale, bias)

/* Both row orders: the orientation kernels use negative strides. */
#define TRANSPOSE(name, bytes_per_pixel) \
  void cvk_check_##name(cvk_check *check) { \
    while (cvk_next_case(check)) { \
      int width = cvk_size(check, 80), height = cvk_size(check, 80); \
      cvk_buffer src = cvk_source(check, height * bytes_per_pixel, width, 1); \
      cvk_buffer wanted = cvk_result(check, width * bytes_per_pixel, height, 1); \
      int src_up = cvk_between(check, 0, 1), dst_up = cvk_between(check, 0, 1); \
      const uint8_t *from = src.bytes + (src_up ? (width - 1) * src.stride : 0); \
      ptrdiff_t to = dst_up ? (height - 1) * wanted.stride : 0; \
      ptrdiff_t from_stride = src_up ? -src.stride : src.stride, to_stride = dst_up ? -wanted.stride : wanted.stride; \
      name##__scalar(wanted.bytes + to, to_stride, from, from_stride, width, height); \
      CVK_EACH_VARIANT(check, name, variant) { \
        cvk_buffer got = cvk_result_like(check, wanted); \
        variant(got.bytes + to, to_stride, from, from_stride, width, height); \
        cvk_expect_equal(check, wanted, got); \
      } \
    } \
  }
TRANSPOSE(cvk_b1_transpose, 1)
TRANSPOSE(cvk_b3_transpose, 3)
TRANSPOSE(cvk_b4_transpose, 4)

static cvk_yuv_matrix any_matrix(cvk_check *check) {
  return cvk_yuv_matrix_make(cvk_case(check) & 1 ? CVK_YUV_BT709 : CVK_YUV_BT601, cvk_case(check) >> 1 & 1);
}

#define BIPLANAR(name, channels) \
  void cvk_check_##name(cvk_check *check) { \
    while (cvk_next_case(check)) { \
      int width = cvk_size(check, 300), height = cvk_size(check, 9); \
      cvk_buffer luma = cvk_source(check, width, height, 1); \
      cvk_buffer chroma = cvk_source(check, (width + 1) / 2 * 2, (height + 1) / 2, 1); \
      cvk_yuv_matrix matrix = any_matrix(check); \
      cvk_buffer wanted = cvk_result(check, width * channels, height, 1); \
      name##__scalar(wanted.bytes, wanted.stride, luma.bytes, luma.stride, chroma.bytes, chroma.stride, width, height, \
                     &matrix); \
      CVK_EACH_VARIANT(check, name, variant) { \
        cvk_buffer got = cvk_result_like(check, wanted); \
        variant(got.bytes, got.stride, luma.bytes, luma.stride, chroma.bytes, chroma.stride, width, height, &matrix); \
        cvk_expect_equal(check, wanted, got); \
      } \
    } \
  }
BIPLANAR(cvk_u8_rgb_from_420_biplanar, 3)
BIPLANAR(cvk_u8_bgra_from_420_biplanar, 4)

#define PLANAR(name, channels) \
  void cvk_check_##name(cvk_check *check) { \
    while (cvk_next_case(check)) { \
      int width = cvk_size(check, 300), height = cvk_size(check, 9); \
      cvk_buffer luma = cvk_source(check, width, height, 1); \
      cvk_buffer u = cvk_source(check, (width + 1) / 2, (height + 1) / 2, 1); \
      cvk_buffer v = cvk_source(check, (width + 1) / 2, (height + 1) / 2, 1); \
      cvk_yuv_matrix matrix = any_matrix(check); \
      cvk_buffer wanted = cvk_result(check, width * channels, height, 1); \
      name##__scalar(wanted.bytes, wanted.stride, luma.bytes, luma.stride, u.bytes, u.stride, v.bytes, v.stride, \
                     width, height, &matrix); \
      CVK_EACH_VARIANT(check, name, variant) { \
        cvk_buffer got = cvk_result_like(check, wanted); \
        variant(got.bytes, got.stride, luma.bytes, luma.stride, u.bytes, u.stride, v.bytes, v.stride, width, height, \
                &matrix); \
        cvk_expect_equal(check, wanted, got); \
      } \
    } \
  }
PLANAR(cvk_u8_rgb_from_420_planar, 3)
PLANAR(cvk_u8_bgra_from_420_planar, 4)

/* In place, so every variant starts from the same pixels. */
void cvk_check_cvk_u8_c4_over(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 300), height = cvk_size(check, 9);
    cvk_buffer src = cvk_source(check, 4 * width, height, 1), before = cvk_source(check, 4 * width, height, 1);
    uint8_t order[4];
    random_order(check, order, 4, 4);
    int alpha = cvk_between(check, 0, 3), kind = cvk_between(check, 0, 2);
    int opacity = cvk_case(check) % 3 ? cvk_between(check, 0, 1 << 14) : 1 << 14;
    cvk_buffer wanted = cvk_result(check, 4 * width, height, 1);
#define PUT_BACK(buffer) \
  for (int y = 0; y < height; y++) \
    memcpy(buffer.bytes + y * buffer.stride, before.bytes + y * before.stride, (size_t)(4 * width))
    PUT_BACK(wanted);
    cvk_u8_c4_over__scalar(wanted.bytes, wanted.stride, src.bytes, src.stride, width, height, order, alpha,
                           (enum cvk_alpha)kind, opacity);
    CVK_EACH_VARIANT(check, cvk_u8_c4_over, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      PUT_BACK(got);
      variant(got.bytes, got.stride, src.bytes, src.stride, width, height, order, alpha, (enum cvk_alpha)kind, opacity);
      cvk_expect_equal(check, wanted, got);
    }
#undef PUT_BACK
  }
}

void cvk_check_cvk_u8_combine(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 300), height = cvk_size(check, 9);
    cvk_buffer src = cvk_source(check, width, height, 1), other = cvk_source(check, width, height, 1);
    int reach = cvk_case(check) % 3 ? 1 << 14 : 256, offset = cvk_between(check, -(1 << 22), 1 << 22);
    int weight = cvk_between(check, -reach, reach), other_weight = cvk_between(check, -reach, reach);
    if (cvk_case(check) % 2) offset >>= 8;
    cvk_buffer wanted = cvk_result(check, width, height, 1);
    cvk_u8_combine__scalar(wanted.bytes, wanted.stride, src.bytes, src.stride, other.bytes, other.stride, width, height,
                           weight, other_weight, offset);
    CVK_EACH_VARIANT(check, cvk_u8_combine, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, got.stride, src.bytes, src.stride, other.bytes, other.stride, width, height, weight,
              other_weight, offset);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
