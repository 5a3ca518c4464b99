/* Y'CbCr conversions, the reference, and their matrix. */
#include "internal.h"

cvk_yuv_matrix cvk_yuv_matrix_make(enum cvk_yuv_standard standard, int full_range) {
  /* From the luma weights of ITU-R BT.601-7 and BT.709-6. Round to nearest: all terms are positive. */
  double red = standard == CVK_YUV_BT709 ? 0.2126 : 0.299, blue = standard == CVK_YUV_BT709 ? 0.0722 : 0.114;
  double green = 1 - red - blue;
  double y_gain = full_range ? 1 : 255.0 / 219, c_gain = full_range ? 1 : 255.0 / 224;
  cvk_yuv_matrix m;
  m.y_offset = full_range ? 0 : 16;
  m.y_scale = (int16_t)(y_gain * (1 << 14) + 0.5);
  m.v_to_r = (int16_t)(2 * (1 - red) * c_gain * (1 << 13) + 0.5);
  m.u_to_b = (int16_t)(2 * (1 - blue) * c_gain * (1 << 13) + 0.5);
  m.u_to_g = (int16_t)(2 * (1 - blue) * blue / green * c_gain * (1 << 13) + 0.5);
  m.v_to_g = (int16_t)(2 * (1 - red) * red / green * c_gain * (1 << 13) + 0.5);
  return m;
}

void cvk_u8_grey_from_video_luma__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                         int width, int height) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    for (int x = 0; x < width; x++) {
      int above = src[x] > 16 ? src[x] - 16 : 0;
      int grey = (2 * above * 19077 + (1 << 14)) >> 15;
      dst[x] = (uint8_t)(grey > 255 ? 255 : grey);
    }
}

static inline int product(int a, int b) { return (a * b + (1 << 14)) >> 15; }

static inline uint8_t level(int fixed) {
  int value = (fixed + 32) >> 6;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Chroma sample i is u[i * step], v[i * step]. */
static inline void convert_row(uint8_t *dst, int channels, int red, int green, int blue, const uint8_t *luma,
                               const uint8_t *u, const uint8_t *v, int step, int width, const cvk_yuv_matrix *m) {
  for (int x = 0; x < width; x++, dst += channels) {
    int cb = (u[x / 2 * step] - 128) * 256, cr = (v[x / 2 * step] - 128) * 256;
    int base = product((luma[x] - m->y_offset) * 128, m->y_scale);
    dst[red] = level(base + product(cr, m->v_to_r));
    dst[green] = level(base - product(cb, m->u_to_g) - product(cr, m->v_to_g));
    dst[blue] = level(base + product(cb, m->u_to_b));
    if (channels == 4) dst[3] = 255;
  }
}

#define CONVERT(target, channels, red, green, blue) \
  void cvk_u8_##target##_from_420_biplanar__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *y, \
                                                   ptrdiff_t y_stride, const uint8_t *uv, ptrdiff_t uv_stride, \
                                                   int width, int height, const cvk_yuv_matrix *matrix) { \
    for (int row = 0; row < height; row++) \
      convert_row(dst + row * dst_stride, channels, red, green, blue, y + row * y_stride, uv + row / 2 * uv_stride, \
                  uv + row / 2 * uv_stride + 1, 2, width, matrix); \
  } \
  void cvk_u8_##target##_from_420_planar__scalar( \
      uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *y, ptrdiff_t y_stride, const uint8_t *u, ptrdiff_t u_stride, \
      const uint8_t *v, ptrdiff_t v_stride, int width, int height, const cvk_yuv_matrix *matrix) { \
    for (int row = 0; row < height; row++) \
      convert_row(dst + row * dst_stride, channels, red, green, blue, y + row * y_stride, u + row / 2 * u_stride, \
                  v + row / 2 * v_stride, 1, width, matrix); \
  }
CONVERT(rgb, 3, 0, 1, 2)
CONVERT(bgra, 4, 2, 1, 0)
