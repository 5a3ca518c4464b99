/* PNG by libpng. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "internal.h"

enum {
  MOST_KEPT_CHUNKS = 64,
  LARGEST_CHUNK = 8 << 20, /* of those that are kept whole: palettes, EXIF, profiles; not the pixels */
  DEFLATE_BEST = 1032,     /* no deflate stream holds more bytes than this per byte */
};

/* The state of one call. It lives in the frame below the one that calls setjmp, so that it is whole after a jump. */
typedef struct reader {
  jmp_buf escape;
  cvd_input input;
  size_t position;
  png_structp png;
  png_infop info;
  uint8_t *scratch; /* freed by finish */
  cvd_status status;
  cvd_message *message;
} reader;

_Noreturn static void escape(reader *r, cvd_status status, const char *text) {
  r->status = cvd_fail(r->message, status, "PNG: %s", text);
  longjmp(r->escape, 1);
}

_Noreturn static void on_error(png_structp png, png_const_charp text) {
  escape(png_get_error_ptr(png), CVD_DAMAGED, text);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void on_read(png_structp png, png_bytep target, size_t count) {
  reader *r = png_get_io_ptr(png);
  if (count > r->input.size - r->position)
    escape(r, CVD_TRUNCATED, "the data ends before the image does (truncated file)");
  memcpy(target, r->input.data + r->position, count);
  r->position += count;
}

static cvd_status finish(reader *r, cvd_status status) {
  png_destroy_read_struct(&r->png, &r->info, NULL);
  free(r->scratch);
  return status;
}

/* Reads up to the first pixels. Call it under setjmp(r->escape). */
static void read_header(reader *r) {
  r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, on_error, on_warning);
  r->info = r->png ? png_create_info_struct(r->png) : NULL;
  if (!r->info) escape(r, CVD_NO_MEMORY, "no memory for the decoder");
  png_set_read_fn(r->png, r, on_read);
  png_set_user_limits(r->png, 0x7fffffff, 0x7fffffff); /* the ceiling on pixels is ours */
  png_set_chunk_cache_max(r->png, MOST_KEPT_CHUNKS);
  png_set_chunk_malloc_max(r->png, LARGEST_CHUNK);
  /* Profiles and texts are skipped: not inflating them saves time and avoids compression bombs. */
  static const png_byte skipped[] = "iCCP\0iTXt\0zTXt\0tEXt\0sPLT";
  png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, skipped, 5);
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  png_set_crc_action(r->png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE); /* or hardly any mutation would get past the sums */
#endif
  png_read_info(r->png, r->info);
}

static void describe(reader *r, cvd_info *info) {
  int type = png_get_color_type(r->png, r->info);
  info->width = png_get_image_width(r->png, r->info);
  info->height = png_get_image_height(r->png, r->info);
  info->bits_per_channel = png_get_bit_depth(r->png, r->info);
  info->channels = png_get_channels(r->png, r->info);
  info->has_alpha = (type & PNG_COLOR_MASK_ALPHA) || png_get_valid(r->png, r->info, PNG_INFO_tRNS);
  info->colour = type == PNG_COLOR_TYPE_PALETTE ? CVD_COLOUR_PALETTE
                 : (type & PNG_COLOR_MASK_COLOR) ? CVD_COLOUR_RGB
                                                 : CVD_COLOUR_GREY;
  png_uint_32 count = 0;
  png_bytep exif = NULL;
  if (png_get_eXIf_1(r->png, r->info, &count, &exif)) info->orientation = cvd_exif_orientation(exif, count);
}

static cvd_status probe(reader *r, uint64_t pixel_limit, cvd_info *info) {
  if (setjmp(r->escape)) return r->status;
  read_header(r);
  describe(r, info);
  cvd_status status = cvd_check_size(info, pixel_limit, r->message);
  uint64_t bytes = (uint64_t)png_get_rowbytes(r->png, r->info) * info->height;
  if (status == CVD_OK && bytes / DEFLATE_BEST > r->input.size)
    status = cvd_fail(r->message, CVD_TRUNCATED,
                      "PNG: %zu bytes cannot hold the %u x %u pixels that the header promises", r->input.size,
                      info->width, info->height);
  return status;
}

cvd_status cvd_probe_png(cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  reader r = {.input = input, .message = message};
  return finish(&r, probe(&r, pixel_limit, info));
}

/* Asks libpng for 8 bits, and for the caller's layout where it has it. Returns the layout of the rows; *is_direct is
 * true where it is the caller's already. */
static cvd_source transform(reader *r, const cvd_info *info, cvd_layout layout, bool *is_direct) {
  bool is_grey = info->colour == CVD_COLOUR_GREY;
  png_set_expand(r->png);
  png_set_scale_16(r->png);
  *is_direct = true;
  switch (layout) {
    case CVD_BGRA8:
      png_set_bgr(r->png); /* fallthrough */
    case CVD_RGBA8:
      png_set_gray_to_rgb(r->png);
      png_set_add_alpha(r->png, 255, PNG_FILLER_AFTER);
      return CVD_FROM_RGBA;
    case CVD_RGB8:
      if (!info->has_alpha) {
        png_set_gray_to_rgb(r->png);
        return CVD_FROM_RGB;
      }
      break;
    case CVD_GREY8:
      if (is_grey && !info->has_alpha) return CVD_FROM_GREY;
      break;
  }
  *is_direct = false;
  return is_grey ? (info->has_alpha ? CVD_FROM_GREY_ALPHA : CVD_FROM_GREY)
                 : (info->has_alpha ? CVD_FROM_RGBA : CVD_FROM_RGB);
}

static uint8_t *allocate(reader *r, size_t count) {
  r->scratch = malloc(count);
  if (!r->scratch) escape(r, CVD_NO_MEMORY, "no memory for the decoder");
  return r->scratch;
}

static cvd_status decode(reader *r, const cvd_info *probed, cvd_output output) {
  if (setjmp(r->escape)) return r->status;
  read_header(r);
  cvd_info info = {0};
  describe(r, &info);
  if (info.width != output.width || info.height != output.height || info.has_alpha != probed->has_alpha)
    escape(r, CVD_DAMAGED, "the image is not the one that was probed");
  bool is_direct = false;
  cvd_source source = transform(r, &info, output.layout, &is_direct);
  int passes = png_set_interlace_handling(r->png);
  png_read_update_info(r->png, r->info);
  size_t row_bytes = png_get_rowbytes(r->png, r->info);
  static const size_t widths[] =
      {[CVD_FROM_GREY] = 1, [CVD_FROM_GREY_ALPHA] = 2, [CVD_FROM_RGB] = 3, [CVD_FROM_RGBA] = 4};
  if (row_bytes != widths[source] * output.width) escape(r, CVD_DAMAGED, "rows of an unexpected length");

  if (is_direct) {
    for (int pass = 0; pass < passes; pass++)
      for (uint32_t y = 0; y < output.height; y++) png_read_row(r->png, output.pixels + y * output.row_bytes, NULL);
  } else {
    /* Later passes of an interlaced image fill gaps in the rows of earlier ones, so all rows are kept. */
    uint8_t *rows = allocate(r, row_bytes * (passes > 1 ? output.height : 1));
    for (int pass = 0; pass < passes; pass++)
      for (uint32_t y = 0; y < output.height; y++) {
        uint8_t *row = passes > 1 ? rows + y * row_bytes : rows;
        png_read_row(r->png, row, NULL);
        if (pass == passes - 1)
          cvd_convert_row(output.pixels + y * output.row_bytes, output.layout, row, source, output.width);
      }
  }
  return CVD_OK;
}

cvd_status cvd_decode_png(cvd_input input, const cvd_info *probed, cvd_output output, cvd_message *message) {
  reader r = {.input = input, .message = message};
  return finish(&r, decode(&r, probed, output));
}
