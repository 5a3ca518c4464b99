/* One row from a codec's layout to the caller's. */
#include <string.h>

#include "internal.h"

/* The weights and rounding of JPEG's Y, so that grey from a JPEG's own luma and grey from colours agree. */
static inline uint8_t luma(unsigned r, unsigned g, unsigned b) {
  return (uint8_t)((19595 * r + 38470 * g + 7471 * b + 32768) >> 16);
}

typedef struct pixel {
  uint8_t r, g, b, a;
} pixel;

static inline uint8_t divided(unsigned value, unsigned alpha) {
  unsigned quotient = (value * 255 + alpha / 2) / alpha;
  return quotient > 255 ? 255 : (uint8_t)quotient;
}

static inline pixel load(const uint8_t *src, cvd_source source, bool straight) {
  switch (source) {
    case CVD_FROM_GREY: return (pixel){src[0], src[0], src[0], 255};
    case CVD_FROM_GREY_ALPHA: return (pixel){src[0], src[0], src[0], src[1]};
    case CVD_FROM_RGB: return (pixel){src[0], src[1], src[2], 255};
    case CVD_FROM_RGBA: return (pixel){src[0], src[1], src[2], src[3]};
    case CVD_FROM_RGBA_PREMULTIPLIED:
      if (!straight) return (pixel){src[0], src[1], src[2], 255};
      if (src[3] == 0) return (pixel){0, 0, 0, 0};
      return (pixel){divided(src[0], src[3]), divided(src[1], src[3]), divided(src[2], src[3]), src[3]};
    case CVD_FROM_CMYK:
      return (pixel){cvd_multiply(255u - src[0], 255u - src[3]), cvd_multiply(255u - src[1], 255u - src[3]),
                     cvd_multiply(255u - src[2], 255u - src[3]), 255};
    case CVD_FROM_CMYK_INVERTED:
      return (pixel){cvd_multiply(src[0], src[3]), cvd_multiply(src[1], src[3]), cvd_multiply(src[2], src[3]), 255};
  }
  return (pixel){0, 0, 0, 0};
}

static inline pixel over_black(pixel p) {
  return (pixel){cvd_multiply(p.r, p.a), cvd_multiply(p.g, p.a), cvd_multiply(p.b, p.a), 255};
}

static inline __attribute__((always_inline)) void convert(uint8_t *dst, cvd_layout layout, const uint8_t *src,
                                                          cvd_source source, size_t src_step, size_t width) {
  bool straight = layout == CVD_BGRA8 || layout == CVD_RGBA8;
  for (size_t x = 0; x < width; x++, src += src_step) {
    pixel p = load(src, source, straight);
    if (!straight && (source == CVD_FROM_GREY_ALPHA || source == CVD_FROM_RGBA)) p = over_black(p);
    switch (layout) {
      case CVD_GREY8: dst[x] = luma(p.r, p.g, p.b); break;
      case CVD_RGB8: dst[3 * x] = p.r, dst[3 * x + 1] = p.g, dst[3 * x + 2] = p.b; break;
      case CVD_BGRA8: dst[4 * x] = p.b, dst[4 * x + 1] = p.g, dst[4 * x + 2] = p.r, dst[4 * x + 3] = p.a; break;
      case CVD_RGBA8: dst[4 * x] = p.r, dst[4 * x + 1] = p.g, dst[4 * x + 2] = p.b, dst[4 * x + 3] = p.a; break;
    }
  }
}

/* Each case with constants, so that the compiler makes one straight loop of it. */
#define TO_ALL_LAYOUTS(source, step)                                                     \
  case source:                                                                           \
    switch (layout) {                                                                    \
      case CVD_GREY8: convert(dst, CVD_GREY8, src, source, step, width); return;         \
      case CVD_RGB8: convert(dst, CVD_RGB8, src, source, step, width); return;           \
      case CVD_BGRA8: convert(dst, CVD_BGRA8, src, source, step, width); return;         \
      case CVD_RGBA8: convert(dst, CVD_RGBA8, src, source, step, width); return;         \
    }                                                                                    \
    return;

void cvd_convert_row(uint8_t *dst, cvd_layout layout, const uint8_t *src, cvd_source source, size_t width) {
  bool same = (source == CVD_FROM_GREY && layout == CVD_GREY8) || (source == CVD_FROM_RGB && layout == CVD_RGB8) ||
              (source == CVD_FROM_RGBA && layout == CVD_RGBA8);
  if (same) {
    memcpy(dst, src, width * cvd_bytes_per_pixel(layout));
    return;
  }
  switch (source) {
    TO_ALL_LAYOUTS(CVD_FROM_GREY, 1)
    TO_ALL_LAYOUTS(CVD_FROM_GREY_ALPHA, 2)
    TO_ALL_LAYOUTS(CVD_FROM_RGB, 3)
    TO_ALL_LAYOUTS(CVD_FROM_RGBA, 4)
    TO_ALL_LAYOUTS(CVD_FROM_RGBA_PREMULTIPLIED, 4)
    TO_ALL_LAYOUTS(CVD_FROM_CMYK, 4)
    TO_ALL_LAYOUTS(CVD_FROM_CMYK_INVERTED, 4)
  }
}
