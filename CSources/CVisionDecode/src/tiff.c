/* TIFF by libtiff's RGBA interface: the first directory, row by row where that can be done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

#include "internal.h"
#include "tiff_directory.h"

enum {
  ROWS_AT_ONCE = 64,
  /* Tiles and some kinds of strips are decoded as a whole, whatever the image's pixels: this many bytes at most. */
  LARGEST_BLOCK = 512 << 20,
};

/* The state of one call, which libtiff hands to the functions below. */
typedef struct source {
  cvd_input input;
  uint64_t position;
  bool read_past_end;
  char first_error[160];
} source;

static tmsize_t on_read(thandle_t handle, void *target, tmsize_t count) {
  source *s = handle;
  uint64_t left = s->position < s->input.size ? s->input.size - s->position : 0;
  if (count < 0) return 0;
  if ((uint64_t)count > left) {
    s->read_past_end = true;
    count = (tmsize_t)left;
  }
  if (count > 0) memcpy(target, s->input.data + s->position, (size_t)count);
  s->position += (uint64_t)count;
  return count;
}

static tmsize_t on_write(thandle_t handle, void *bytes, tmsize_t count) {
  (void)handle, (void)bytes, (void)count;
  return 0;
}

static toff_t on_seek(thandle_t handle, toff_t offset, int from) {
  source *s = handle;
  if (from == SEEK_CUR) offset += s->position;
  if (from == SEEK_END) offset += s->input.size;
  s->position = offset;
  if (offset > s->input.size) s->read_past_end = true;
  return offset;
}

static int on_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t on_size(thandle_t handle) { return ((source *)handle)->input.size; }

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)module;
  source *s = user;
  if (!s->first_error[0]) vsnprintf(s->first_error, sizeof s->first_error, format, arguments);
  return 1; /* handled: nothing goes to the standard error */
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
  return 1;
}

static cvd_status truncated(cvd_message *message) {
  return cvd_fail(message, CVD_TRUNCATED, "TIFF: the data ends before the image does (truncated file)");
}

static cvd_status failed(const source *s, cvd_message *message) {
  if (s->read_past_end) return truncated(message);
  return cvd_fail(message, CVD_DAMAGED, "TIFF: %s", s->first_error[0] ? s->first_error : "the image cannot be decoded");
}

static TIFF *open_tiff(source *s, uint64_t most_bytes) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)most_bytes);
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, s);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, s);
  /* m: read by on_read instead of a map, so that every access is checked there. */
  TIFF *tiff = TIFFClientOpenExt("image", "rm", s, on_read, on_write, on_seek, on_close, on_size, NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  return tiff;
}

typedef enum alpha_kind { ALPHA_NONE, ALPHA_STRAIGHT, ALPHA_PREMULTIPLIED } alpha_kind;

static alpha_kind alpha_of(TIFF *tiff) {
  uint16_t samples = 1, photometric = 0, count = 0, *kinds = NULL;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
  if (count == 0 || !kinds || photometric == PHOTOMETRIC_SEPARATED || photometric == PHOTOMETRIC_PALETTE)
    return ALPHA_NONE;
  if (kinds[0] == EXTRASAMPLE_ASSOCALPHA) return ALPHA_PREMULTIPLIED;
  return kinds[0] == EXTRASAMPLE_UNASSALPHA ? ALPHA_STRAIGHT : ALPHA_NONE;
}

static void describe(TIFF *tiff, cvd_info *info) {
  uint16_t bits = 1, samples = 1, photometric = PHOTOMETRIC_MINISBLACK, orientation = 1;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &info->width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &info->height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  TIFFGetField(tiff, TIFFTAG_ORIENTATION, &orientation);
  info->bits_per_channel = bits;
  info->channels = samples;
  info->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
  info->has_alpha = alpha_of(tiff) != ALPHA_NONE;
  switch (photometric) {
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MINISWHITE: info->colour = CVD_COLOUR_GREY; break;
    case PHOTOMETRIC_PALETTE: info->colour = CVD_COLOUR_PALETTE; break;
    case PHOTOMETRIC_SEPARATED: info->colour = CVD_COLOUR_CMYK; break;
    default: info->colour = CVD_COLOUR_RGB; break;
  }
}

cvd_status cvd_probe_tiff(cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  source s = {.input = input};
  TIFF *tiff = open_tiff(&s, input.size + (1 << 20)); /* a directory is never larger than its file */
  if (!tiff) return failed(&s, message);
  describe(tiff, info);
  TIFFClose(tiff);
  if (cvd_tiff_values_are_cut(input)) return truncated(message);
  return cvd_check_size(info, pixel_limit, message);
}

static void convert_row(uint32_t *row, cvd_output output, uint32_t y, cvd_source kind) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (uint32_t x = 0; x < output.width; x++) row[x] = __builtin_bswap32(row[x]);
#endif
  cvd_convert_row(output.pixels + (size_t)y * output.row_bytes, output.layout, (const uint8_t *)row, kind,
                  output.width);
}

/* Whether the image can be read row by row, so that a strip of the whole image takes no memory. Strips of planes would
 * have to be read side by side; rows of subsampled colours and old JPEG strips come several at once. */
static bool has_rows(TIFF *tiff, const TIFFRGBAImage *image) {
  uint16_t compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  return !TIFFIsTiled(tiff) && image->isContig && image->put.contig && image->photometric != PHOTOMETRIC_YCBCR &&
         compression != COMPRESSION_OJPEG;
}

static cvd_status read_rows(TIFF *tiff, source *s, TIFFRGBAImage *image, cvd_source kind, cvd_output output,
                            cvd_message *message) {
  tmsize_t bytes = TIFFScanlineSize(tiff);
  uint8_t *samples = bytes > 0 ? malloc((size_t)bytes) : NULL;
  uint32_t *row = malloc((size_t)output.width * 4);
  cvd_status status = CVD_OK;
  if (bytes <= 0)
    status = failed(s, message);
  else if (!samples || !row)
    status = cvd_fail(message, CVD_NO_MEMORY, "TIFF: no memory for the decoder");
  for (uint32_t y = 0; y < output.height && status == CVD_OK; y++) {
    memset(samples, 0, (size_t)bytes); /* codecs may leave gaps */
    if (TIFFReadScanline(tiff, samples, y, 0) < 0) {
      status = failed(s, message);
      break;
    }
    image->put.contig(image, row, 0, y, output.width, 1, 0, 0, samples);
    convert_row(row, output, y, kind);
  }
  free(samples);
  free(row);
  return status;
}

/* Blocks are whole strips or tiles, so that each is decoded once. */
static uint32_t rows_in_block(TIFF *tiff, uint32_t height) {
  uint32_t rows = 0;
  if (TIFFIsTiled(tiff))
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &rows);
  else
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
  if (rows == 0 || rows >= height) return height;
  if (rows < ROWS_AT_ONCE) rows *= ROWS_AT_ONCE / rows;
  return rows < height ? rows : height;
}

static cvd_status read_blocks(TIFF *tiff, source *s, TIFFRGBAImage *image, cvd_source kind, cvd_output output,
                              cvd_message *message) {
  uint32_t rows = rows_in_block(tiff, output.height);
  uint64_t bytes = TIFFIsTiled(tiff) ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
  uint64_t planes = image->isContig || image->samplesperpixel == 0 ? 1 : image->samplesperpixel;
  uint64_t most = LARGEST_BLOCK;
  if (bytes > most / planes || (uint64_t)output.width * rows > (most - bytes * planes) / 4)
    return cvd_fail(message, CVD_UNSUPPORTED,
                    "TIFF: a strip or tile of %u rows takes more than %d MB when it is decoded; write smaller ones",
                    rows, LARGEST_BLOCK >> 20);
  uint32_t *block = calloc((size_t)output.width * rows, 4);
  if (!block) return cvd_fail(message, CVD_NO_MEMORY, "TIFF: no memory for the decoder");
  cvd_status status = CVD_OK;
  for (uint32_t y = 0; y < output.height && status == CVD_OK; y += rows) {
    uint32_t count = output.height - y < rows ? output.height - y : rows;
    /* Strips may leave gaps that are never written. The first time the block is zero already; not touching it then
     * means that a file that only claims to be large costs nothing. */
    if (y > 0) memset(block, 0, (size_t)output.width * count * 4);
    image->row_offset = (int)y;
    image->col_offset = 0;
    if (!TIFFRGBAImageGet(image, block, output.width, count)) {
      status = failed(s, message);
      break;
    }
    for (uint32_t i = 0; i < count; i++) convert_row(block + (size_t)i * output.width, output, y + i, kind);
  }
  free(block);
  return status;
}

static cvd_status decode(TIFF *tiff, source *s, const cvd_info *probed, cvd_output output, cvd_message *message) {
  cvd_info info = {0};
  describe(tiff, &info);
  if (info.width != probed->width || info.height != probed->height)
    return cvd_fail(message, CVD_DAMAGED, "TIFF: the size is not the one that was probed");
  alpha_kind alpha = alpha_of(tiff);
  if (alpha == ALPHA_STRAIGHT) {
    /* The interface multiplies straight alpha in, which loses colours. Told that it is done already, it leaves the
     * samples alone. */
    uint16_t kind = EXTRASAMPLE_ASSOCALPHA;
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
  }
  cvd_source kind = alpha == ALPHA_PREMULTIPLIED ? CVD_FROM_RGBA_PREMULTIPLIED : CVD_FROM_RGBA;
  char reason[1024] = "";
  TIFFRGBAImage image;
  if (!TIFFRGBAImageOK(tiff, reason)) return cvd_fail(message, CVD_UNSUPPORTED, "TIFF: %s", reason);
  if (!TIFFRGBAImageBegin(&image, tiff, 1, reason)) return cvd_fail(message, CVD_DAMAGED, "TIFF: %s", reason);
  image.req_orientation = image.orientation; /* rows as stored, from the first */
  cvd_status status = has_rows(tiff, &image) ? read_rows(tiff, s, &image, kind, output, message)
                                             : read_blocks(tiff, s, &image, kind, output, message);
  TIFFRGBAImageEnd(&image);
  return status;
}

cvd_status cvd_decode_tiff(cvd_input input, const cvd_info *info, cvd_output output, cvd_message *message) {
  source s = {.input = input};
  TIFF *tiff = open_tiff(&s, LARGEST_BLOCK + input.size);
  if (!tiff) return failed(&s, message);
  cvd_status status = decode(tiff, &s, info, output, message);
  TIFFClose(tiff);
  return status;
}
