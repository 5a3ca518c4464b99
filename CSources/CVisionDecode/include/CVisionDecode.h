/* CVisionDecode: still images between their files and a caller's pixels.
 *
 * Each codec is one file in src/. Nothing here keeps state between calls, and calls may run at the same time on
 * different threads. Memory that a codec needs is freed before a call returns, on errors too.
 *
 * For all formats:
 * - Pixels come as they are stored: orientation is reported, never applied. HEIF is the exception, as rotation is part
 *   of that format's image: its decoder applies it, and the orientation reported is 1 (up).
 * - Alpha is straight (not multiplied into the colours) in BGRA and RGBA. Layouts without alpha get the image drawn
 *   over black: each colour times its alpha. Images without alpha get 255.
 */
#ifndef CVISIONDECODE_H
#define CVISIONDECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cvd_format {
  CVD_FORMAT_UNKNOWN = 0,
  CVD_FORMAT_JPEG,
  CVD_FORMAT_PNG,
  CVD_FORMAT_WEBP,
  CVD_FORMAT_TIFF,
  CVD_FORMAT_HEIF, /* with HEVC images (HEIC) */
  CVD_FORMAT_GIF,
  CVD_FORMAT_AVIF, /* HEIF with AV1 images */
} cvd_format;

/* The colour model of the file's channels. */
typedef enum cvd_colour {
  CVD_COLOUR_GREY = 0,
  CVD_COLOUR_RGB, /* also what is stored as luma and chroma */
  CVD_COLOUR_CMYK,
  CVD_COLOUR_PALETTE,
} cvd_colour;

/* Layouts of decoded pixels: 8 bits a channel, in the order of the name, rows from the top. */
typedef enum cvd_layout {
  CVD_GREY8 = 0, /* luma of BT.601, full range */
  CVD_RGB8,
  CVD_BGRA8,
  CVD_RGBA8,
} cvd_layout;

typedef enum cvd_status {
  CVD_OK = 0,
  CVD_UNKNOWN_FORMAT, /* no known signature */
  CVD_TRUNCATED,      /* the data ends before the image does */
  CVD_DAMAGED,        /* the data contradicts itself or the format */
  CVD_UNSUPPORTED,    /* valid, but of a kind that is not read */
  CVD_TOO_LARGE,      /* more pixels than the limit; the sizes in the info are valid */
  CVD_NO_MEMORY,
} cvd_status;

typedef struct cvd_info {
  cvd_format format;
  cvd_colour colour;
  uint32_t width, height; /* pixels as stored, before orientation */
  uint32_t orientation;   /* EXIF 1...8; 1 where there is none or an invalid one */
  uint32_t bits_per_channel;
  uint32_t channels; /* stored channels, alpha included; 1 for a palette */
  bool has_alpha;    /* a palette with transparent entries has */
  bool is_reducible; /* can be decoded at 1/2, 1/4 and 1/8 of its size for less than as a whole */
} cvd_info;

typedef struct cvd_message {
  char text[256]; /* UTF-8, ends with 0 */
} cvd_message;

/* Returns the format by the first bytes alone. A file that may hold images of any codec is said to be HEIF. */
cvd_format cvd_format_of(const void *data, size_t size);

/* Reads the headers and nothing else. pixel_limit bounds width × height; a larger image gives CVD_TOO_LARGE before any
 * memory is taken for pixels. message states the reason unless the result is CVD_OK. */
cvd_status cvd_probe(const void *data, size_t size, uint64_t pixel_limit, cvd_info *info, cvd_message *message);

/* The smallest size not below minimum_width × minimum_height that the codec can decode to cheaply; the stored size for
 * codecs that cannot scale. A minimum of 0 asks for nothing in that direction; UINT32_MAX asks for the stored size. */
void cvd_scaled_size(const cvd_info *info, uint32_t minimum_width, uint32_t minimum_height, uint32_t *width,
                     uint32_t *height);

/* Decodes data that cvd_probe described as info into height rows of row_bytes bytes. width and height come from
 * cvd_scaled_size. The contents of pixels are unspecified when the result is not CVD_OK. */
cvd_status cvd_decode(const void *data, size_t size, const cvd_info *info, cvd_layout layout, void *pixels,
                      size_t row_bytes, uint32_t width, uint32_t height, cvd_message *message);

/* Encoders. *encoded receives memory from malloc that the caller frees with free. */

/* quality: 1...100. Alpha is ignored. */
cvd_status cvd_encode_jpeg(const void *pixels, size_t row_bytes, cvd_layout layout, uint32_t width, uint32_t height,
                           int quality, void **encoded, size_t *encoded_size, cvd_message *message);

/* Lossless. BGRA and RGBA keep their alpha, which is taken to be straight. */
cvd_status cvd_encode_png(const void *pixels, size_t row_bytes, cvd_layout layout, uint32_t width, uint32_t height,
                          void **encoded, size_t *encoded_size, cvd_message *message);

#ifdef __cplusplus
}
#endif

#endif
