/* PNG by libpng. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "internal.h"

/* The state of one call. It lives in the frame below the one that calls setjmp, so that it is whole after a jump. */
typedef struct writer {
  jmp_buf escape;
  png_structp png;
  png_infop info;
  uint8_t *memory;
  size_t count, capacity;
  cvd_status status;
  cvd_message *message;
} writer;

_Noreturn static void escape(writer *w, cvd_status status, const char *text) {
  w->status = cvd_fail(w->message, status, "PNG: %s", text);
  longjmp(w->escape, 1);
}

_Noreturn static void on_error(png_structp png, png_const_charp text) {
  escape(png_get_error_ptr(png), CVD_UNSUPPORTED, text);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void on_write(png_structp png, png_bytep bytes, size_t count) {
  writer *w = png_get_io_ptr(png);
  if (count > w->capacity - w->count) {
    size_t capacity = w->capacity * 2 > w->count + count ? w->capacity * 2 : w->count + count + 4096;
    uint8_t *memory = realloc(w->memory, capacity);
    if (!memory) escape(w, CVD_NO_MEMORY, "no memory for the encoded image");
    w->memory = memory;
    w->capacity = capacity;
  }
  memcpy(w->memory + w->count, bytes, count);
  w->count += count;
}

static void on_flush(png_structp png) { (void)png; }

static cvd_status encode(writer *w, png_const_bytep pixels, size_t row_bytes, cvd_layout layout, uint32_t width,
                         uint32_t height) {
  static const int types[] = {[CVD_GREY8] = PNG_COLOR_TYPE_GRAY,
                              [CVD_RGB8] = PNG_COLOR_TYPE_RGB,
                              [CVD_BGRA8] = PNG_COLOR_TYPE_RGB_ALPHA,
                              [CVD_RGBA8] = PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(w->escape)) return w->status;
  w->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, on_error, on_warning);
  w->info = w->png ? png_create_info_struct(w->png) : NULL;
  if (!w->info) escape(w, CVD_NO_MEMORY, "no memory for the encoder");
  png_set_write_fn(w->png, w, on_write, on_flush);
  png_set_user_limits(w->png, 0x7fffffff, 0x7fffffff);
  png_set_IHDR(w->png, w->info, width, height, 8, types[layout], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(w->png, w->info);
  if (layout == CVD_BGRA8) png_set_bgr(w->png);
  for (uint32_t y = 0; y < height; y++) png_write_row(w->png, pixels + y * row_bytes);
  png_write_end(w->png, NULL);
  return CVD_OK;
}

cvd_status cvd_encode_png(const void *pixels, size_t row_bytes, cvd_layout layout, uint32_t width, uint32_t height,
                          void **encoded, size_t *encoded_size, cvd_message *message) {
  *encoded = NULL;
  *encoded_size = 0;
  writer w = {.message = message};
  cvd_status status = encode(&w, pixels, row_bytes, layout, width, height);
  png_destroy_write_struct(&w.png, &w.info);
  if (status == CVD_OK) {
    *encoded = w.memory;
    *encoded_size = w.count;
  } else {
    free(w.memory);
  }
  return status;
}
