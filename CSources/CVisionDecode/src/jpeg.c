/* JPEG by libjpeg-turbo. */
#include <stdlib.h>
#include <string.h>

#include "jpeg_support.h"

enum { EXIF_MARKER = JPEG_APP0 + 1, MOST_SCANS = 100, ROWS_AT_ONCE = 16 };

static void begin(j_decompress_ptr cinfo, jpeg_guard *guard, cvd_input input) {
  jpeg_mem_src(cinfo, input.data, (unsigned long)input.size);
  guard->end_is_truncation = true;
  jpeg_read_header(cinfo, TRUE);
}

static void describe(j_decompress_ptr cinfo, cvd_info *info) {
  info->width = cinfo->image_width;
  info->height = cinfo->image_height;
  info->is_reducible = true;
  info->bits_per_channel = (uint32_t)cinfo->data_precision;
  info->channels = (uint32_t)cinfo->num_components;
  info->colour = cinfo->num_components == 1   ? CVD_COLOUR_GREY
                 : cinfo->num_components == 4 ? CVD_COLOUR_CMYK
                                              : CVD_COLOUR_RGB;
  for (jpeg_saved_marker_ptr marker = cinfo->marker_list; marker; marker = marker->next)
    if (marker->marker == EXIF_MARKER && marker->data_length > 6 && memcmp(marker->data, "Exif\0", 6) == 0) {
      info->orientation = cvd_exif_orientation(marker->data, marker->data_length);
      break;
    }
}

/* Huffman codes have at least one bit and a baseline block has at least two codes: a header that promises more blocks
 * than the file has bits for is a lie, found before memory is taken. */
static bool promises_too_much(j_decompress_ptr cinfo, size_t size) {
  if (cinfo->progressive_mode || cinfo->arith_code) return false;
  uint64_t blocks = 0;
  for (int i = 0; i < cinfo->num_components; i++)
    blocks += (uint64_t)cinfo->comp_info[i].width_in_blocks * cinfo->comp_info[i].height_in_blocks;
  return blocks / 4 > size;
}

/* The state of one call. It lives in the frame below the one that calls setjmp, so that it is whole after a jump. */
typedef struct decoder {
  struct jpeg_decompress_struct cinfo;
  jpeg_guard guard;
} decoder;

static cvd_status probe(decoder *d, cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  if (setjmp(d->guard.escape)) return d->guard.status;
  jpeg_create_decompress(&d->cinfo);
  jpeg_save_markers(&d->cinfo, EXIF_MARKER, 0xffff);
  begin(&d->cinfo, &d->guard, input);
  describe(&d->cinfo, info);
  cvd_status status = cvd_check_size(info, pixel_limit, message);
  if (status == CVD_OK && promises_too_much(&d->cinfo, input.size))
    status = cvd_fail(message, CVD_TRUNCATED, "JPEG: %zu bytes cannot hold the %u x %u pixels that the header promises",
                      input.size, info->width, info->height);
  return status;
}

cvd_status cvd_probe_jpeg(cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  decoder d = {0};
  d.cinfo.err = cvd_jpeg_guard(&d.guard, message);
  cvd_status status = probe(&d, input, pixel_limit, info, message);
  jpeg_destroy_decompress(&d.cinfo);
  return status;
}

/* A progressive file may hold any number of scans, each of which costs a pass over all coefficients. */
static void on_progress(j_common_ptr common) {
  j_decompress_ptr cinfo = (j_decompress_ptr)common;
  jpeg_guard *guard = (jpeg_guard *)common->err;
  if (cinfo->input_scan_number <= MOST_SCANS) return;
  guard->status = cvd_fail(guard->message, CVD_DAMAGED, "JPEG: more than %d scans", MOST_SCANS);
  longjmp(guard->escape, 1);
}

static J_COLOR_SPACE native(cvd_layout layout) {
  switch (layout) {
    case CVD_GREY8: return JCS_GRAYSCALE;
    case CVD_RGB8: return JCS_EXT_RGB;
    case CVD_BGRA8: return JCS_EXT_BGRA;
    case CVD_RGBA8: return JCS_EXT_RGBA;
  }
  return JCS_EXT_RGB;
}

/* Straight into the caller's rows. */
static void read_rows(j_decompress_ptr cinfo, cvd_output output) {
  JSAMPROW rows[ROWS_AT_ONCE];
  while (cinfo->output_scanline < cinfo->output_height) {
    uint32_t count = cinfo->output_height - cinfo->output_scanline;
    if (count > ROWS_AT_ONCE) count = ROWS_AT_ONCE;
    for (uint32_t i = 0; i < count; i++) rows[i] = output.pixels + (cinfo->output_scanline + i) * output.row_bytes;
    jpeg_read_scanlines(cinfo, rows, count);
  }
}

static void read_cmyk_rows(j_decompress_ptr cinfo, cvd_output output) {
  /* Memory of the decompressor, freed with it. */
  JSAMPARRAY row =
      (*cinfo->mem->alloc_sarray)((j_common_ptr)cinfo, JPOOL_IMAGE, cinfo->output_width * 4, 1);
  cvd_source source = cinfo->saw_Adobe_marker ? CVD_FROM_CMYK_INVERTED : CVD_FROM_CMYK;
  while (cinfo->output_scanline < cinfo->output_height) {
    uint8_t *target = output.pixels + (size_t)cinfo->output_scanline * output.row_bytes;
    jpeg_read_scanlines(cinfo, row, 1);
    cvd_convert_row(target, output.layout, row[0], source, output.width);
  }
}

static cvd_status decode(decoder *d, cvd_input input, const cvd_info *info, cvd_output output, cvd_message *message) {
  j_decompress_ptr cinfo = &d->cinfo;
  if (setjmp(d->guard.escape)) return d->guard.status;
  jpeg_create_decompress(cinfo);
  d->guard.progress.progress_monitor = on_progress;
  cinfo->progress = &d->guard.progress;
  begin(cinfo, &d->guard, input);
  bool has_several_scans = jpeg_has_multiple_scans(cinfo);
  cinfo->scale_denom = 8;
  for (cinfo->scale_num = 1; cinfo->scale_num <= 8; cinfo->scale_num++) {
    jpeg_calc_output_dimensions(cinfo);
    if (cinfo->output_width == output.width && cinfo->output_height == output.height) break;
  }
  if (cinfo->image_width != info->width || cinfo->image_height != info->height || cinfo->scale_num > 8)
    return cvd_fail(message, CVD_DAMAGED, "JPEG: the size is not the one that was probed");
  bool is_cmyk = cinfo->num_components == 4;
  cinfo->out_color_space = is_cmyk ? JCS_CMYK : native(output.layout);
  /* A single scan is decoded as it is read: if only the end marker is missing, all pixels are there. With several scans
   * the end of the data may stand where the next scan should. */
  d->guard.end_is_truncation = has_several_scans;
  jpeg_start_decompress(cinfo);
  if (is_cmyk)
    read_cmyk_rows(cinfo, output);
  else
    read_rows(cinfo, output);
  return CVD_OK;
}

cvd_status cvd_decode_jpeg(cvd_input input, const cvd_info *info, cvd_output output, cvd_message *message) {
  decoder d = {0};
  d.cinfo.err = cvd_jpeg_guard(&d.guard, message);
  cvd_status status = decode(&d, input, info, output, message);
  jpeg_destroy_decompress(&d.cinfo);
  return status;
}
