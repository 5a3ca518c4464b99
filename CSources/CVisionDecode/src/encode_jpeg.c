/* JPEG by libjpeg-turbo. */
#include <stdlib.h>

#include "jpeg_support.h"

enum { LARGEST_SIDE = 65500 };

/* The state of one call. It lives in the frame below the one that calls setjmp, so that it is whole after a jump. */
typedef struct encoder {
  struct jpeg_compress_struct cinfo;
  jpeg_guard guard;
  unsigned char *memory;
  unsigned long size;
} encoder;

static cvd_status encode(encoder *e, const uint8_t *pixels, size_t row_bytes, cvd_layout layout, uint32_t width,
                         uint32_t height, int quality) {
  static const J_COLOR_SPACE spaces[] = {
      [CVD_GREY8] = JCS_GRAYSCALE, [CVD_RGB8] = JCS_EXT_RGB, [CVD_BGRA8] = JCS_EXT_BGRX, [CVD_RGBA8] = JCS_EXT_RGBX};
  j_compress_ptr cinfo = &e->cinfo;
  if (setjmp(e->guard.escape)) return e->guard.status;
  jpeg_create_compress(cinfo);
  jpeg_mem_dest(cinfo, &e->memory, &e->size);
  cinfo->image_width = width;
  cinfo->image_height = height;
  cinfo->input_components = (int)cvd_bytes_per_pixel(layout);
  cinfo->in_color_space = spaces[layout];
  jpeg_set_defaults(cinfo);
  jpeg_set_quality(cinfo, quality < 1 ? 1 : quality > 100 ? 100 : quality, TRUE);
  jpeg_start_compress(cinfo, TRUE);
  while (cinfo->next_scanline < cinfo->image_height) {
    JSAMPROW row = (JSAMPROW)(pixels + cinfo->next_scanline * row_bytes);
    jpeg_write_scanlines(cinfo, &row, 1);
  }
  jpeg_finish_compress(cinfo);
  return CVD_OK;
}

cvd_status cvd_encode_jpeg(const void *pixels, size_t row_bytes, cvd_layout layout, uint32_t width, uint32_t height,
                           int quality, void **encoded, size_t *encoded_size, cvd_message *message) {
  *encoded = NULL;
  *encoded_size = 0;
  if (width == 0 || height == 0 || width > LARGEST_SIDE || height > LARGEST_SIDE)
    return cvd_fail(message, CVD_UNSUPPORTED, "JPEG: a side has 1 to %d pixels, not %u x %u", LARGEST_SIDE, width,
                    height);
  encoder e = {0};
  e.cinfo.err = cvd_jpeg_guard(&e.guard, message);
  cvd_status status = encode(&e, pixels, row_bytes, layout, width, height, quality);
  jpeg_destroy_compress(&e.cinfo);
  if (status == CVD_OK) {
    *encoded = e.memory;
    *encoded_size = e.size;
  } else {
    free(e.memory);
  }
  return status;
}
