/* The public functions, which choose the codec. */
#include <string.h>

#include "internal.h"

static bool begins(const uint8_t *data, size_t size, size_t offset, const char *text, size_t count) {
  return size >= offset + count && memcmp(data + offset, text, count) == 0;
}

cvd_format cvd_format_of(const void *bytes, size_t size) {
  const uint8_t *data = bytes;
  if (begins(data, size, 0, "\xff\xd8\xff", 3)) return CVD_FORMAT_JPEG;
  if (begins(data, size, 0, "\x89PNG\r\n\x1a\n", 8)) return CVD_FORMAT_PNG;
  if (begins(data, size, 0, "RIFF", 4) && begins(data, size, 8, "WEBP", 4)) return CVD_FORMAT_WEBP;
  if (begins(data, size, 0, "II*\0", 4) || begins(data, size, 0, "MM\0*", 4) || begins(data, size, 0, "II+\0", 4) ||
      begins(data, size, 0, "MM\0+", 4))
    return CVD_FORMAT_TIFF;
  if (begins(data, size, 0, "GIF87a", 6) || begins(data, size, 0, "GIF89a", 6)) return CVD_FORMAT_GIF;
  if (begins(data, size, 4, "ftyp", 4)) {
    if (begins(data, size, 8, "avif", 4) || begins(data, size, 8, "avis", 4)) return CVD_FORMAT_AVIF;
    static const char brands[][5] = {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"};
    for (size_t i = 0; i < sizeof brands / sizeof brands[0]; i++)
      if (begins(data, size, 8, brands[i], 4)) return CVD_FORMAT_HEIF;
  }
  return CVD_FORMAT_UNKNOWN;
}

cvd_status cvd_probe(const void *data, size_t size, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  cvd_input input = {data, size};
  memset(info, 0, sizeof *info);
  message->text[0] = 0;
  info->orientation = 1;
  info->format = cvd_format_of(data, size);
  /* Brands are no evidence: images of either codec come under both. */
  if (info->format == CVD_FORMAT_HEIF || info->format == CVD_FORMAT_AVIF)
    info->format = cvd_is_av1(input) ? CVD_FORMAT_AVIF : CVD_FORMAT_HEIF;
  cvd_status status = CVD_UNKNOWN_FORMAT;
  switch (info->format) {
    case CVD_FORMAT_JPEG: status = cvd_probe_jpeg(input, pixel_limit, info, message); break;
    case CVD_FORMAT_PNG: status = cvd_probe_png(input, pixel_limit, info, message); break;
    case CVD_FORMAT_WEBP: status = cvd_probe_webp(input, pixel_limit, info, message); break;
    case CVD_FORMAT_TIFF: status = cvd_probe_tiff(input, pixel_limit, info, message); break;
    case CVD_FORMAT_HEIF: status = cvd_probe_heif(input, pixel_limit, info, message); break;
    case CVD_FORMAT_GIF: status = cvd_probe_gif(input, pixel_limit, info, message); break;
    case CVD_FORMAT_AVIF: status = cvd_probe_avif(input, pixel_limit, info, message); break;
    case CVD_FORMAT_UNKNOWN:
      return cvd_fail(message, CVD_UNKNOWN_FORMAT,
                      size == 0 ? "the data is empty"
                                : "the data does not begin as a JPEG, PNG, WebP, TIFF, HEIF, AVIF or GIF file");
  }
  return status == CVD_OK ? cvd_check_size(info, pixel_limit, message) : status;
}

static uint32_t scaled(uint32_t size, uint32_t eighths) { return (uint32_t)(((uint64_t)size * eighths + 7) / 8); }

void cvd_scaled_size(const cvd_info *info, uint32_t minimum_width, uint32_t minimum_height, uint32_t *width,
                     uint32_t *height) {
  *width = info->width;
  *height = info->height;
  if (minimum_width >= info->width || minimum_height >= info->height) return;
  if (info->is_reducible) {
    /* Eighths for WebP too, although it scales to any size: one rule, and the caller resizes to the exact size.
     * Of the reduced JPEG transforms only these three have SIMD code; the others take longer than a full decode. */
    static const uint32_t choices[] = {1, 2, 4};
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
      if (scaled(info->width, choices[i]) >= minimum_width && scaled(info->height, choices[i]) >= minimum_height) {
        *width = scaled(info->width, choices[i]);
        *height = scaled(info->height, choices[i]);
        return;
      }
  }
}

cvd_status cvd_decode(const void *data, size_t size, const cvd_info *info, cvd_layout layout, void *pixels,
                      size_t row_bytes, uint32_t width, uint32_t height, cvd_message *message) {
  cvd_input input = {data, size};
  cvd_output output = {pixels, row_bytes, width, height, layout};
  message->text[0] = 0;
  switch (info->format) {
    case CVD_FORMAT_JPEG: return cvd_decode_jpeg(input, info, output, message);
    case CVD_FORMAT_PNG: return cvd_decode_png(input, info, output, message);
    case CVD_FORMAT_WEBP: return cvd_decode_webp(input, info, output, message);
    case CVD_FORMAT_TIFF: return cvd_decode_tiff(input, info, output, message);
    case CVD_FORMAT_HEIF: return cvd_decode_heif(input, info, output, message);
    case CVD_FORMAT_GIF: return cvd_decode_gif(input, info, output, message);
    case CVD_FORMAT_AVIF: return cvd_decode_avif(input, info, output, message);
    case CVD_FORMAT_UNKNOWN: break;
  }
  return cvd_fail(message, CVD_UNKNOWN_FORMAT, "the format is unknown");
}
