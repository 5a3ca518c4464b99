/* Declarations shared by the codecs. */
#ifndef CVD_INTERNAL_H
#define CVD_INTERNAL_H

#include "CVisionDecode.h"

typedef struct cvd_input {
  const uint8_t *data;
  size_t size;
} cvd_input;

/* The destination of a decoder. */
typedef struct cvd_output {
  uint8_t *pixels;
  size_t row_bytes;
  uint32_t width, height;
  cvd_layout layout;
} cvd_output;

/* Formats the text into message and returns status. */
cvd_status cvd_fail(cvd_message *message, cvd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* CVD_TOO_LARGE with its text when info's size is beyond the limit, else CVD_OK. Sizes of 0 are CVD_DAMAGED. */
cvd_status cvd_check_size(const cvd_info *info, uint64_t pixel_limit, cvd_message *message);

/* Tag 274 of an EXIF block, with or without "Exif\0\0" in front; 1 when there is none or it is not 1...8. */
uint32_t cvd_exif_orientation(const uint8_t *data, size_t size);

/* Rows in the layouts that codecs produce. */
typedef enum cvd_source {
  CVD_FROM_GREY = 0,
  CVD_FROM_GREY_ALPHA,
  CVD_FROM_RGB,
  CVD_FROM_RGBA,
  CVD_FROM_RGBA_PREMULTIPLIED,
  CVD_FROM_CMYK,          /* 0 is no ink */
  CVD_FROM_CMYK_INVERTED, /* 255 is no ink: what Adobe's programs write */
} cvd_source;

/* One row of width pixels; dst and src do not overlap. */
void cvd_convert_row(uint8_t *dst, cvd_layout layout, const uint8_t *src, cvd_source source, size_t width);

/* Whether the boxes of a HEIF file speak of AV1 images. */
bool cvd_is_av1(cvd_input input);

static inline size_t cvd_bytes_per_pixel(cvd_layout layout) {
  return layout == CVD_GREY8 ? 1 : layout == CVD_RGB8 ? 3 : 4;
}

static inline uint8_t cvd_multiply(unsigned value, unsigned alpha) {
  unsigned product = value * alpha + 128;
  return (uint8_t)((product + (product >> 8)) >> 8); /* value × alpha / 255, rounded */
}

#define CVD_CODEC(name)                                                                                        \
  cvd_status cvd_probe_##name(cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message); \
  cvd_status cvd_decode_##name(cvd_input input, const cvd_info *info, cvd_output output, cvd_message *message);
CVD_CODEC(jpeg)
CVD_CODEC(png)
CVD_CODEC(webp)
CVD_CODEC(tiff)
CVD_CODEC(heif)
CVD_CODEC(gif)
CVD_CODEC(avif)
#undef CVD_CODEC

#endif
