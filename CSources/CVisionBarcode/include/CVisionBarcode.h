/* CVisionBarcode: barcodes of a grey image, read by ZXing-C++, and barcodes drawn by it.
 *
 * The library's C++ stays behind this header. No exception leaves a call, nothing keeps state between calls, and calls
 * may run at the same time on different threads. What a call finds belongs to one object that the caller frees.
 */
#ifndef CVISIONBARCODE_H
#define CVISIONBARCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Symbologies, one bit each. */
typedef enum cvb_format {
  CVB_AZTEC = 1 << 0,
  CVB_CODABAR = 1 << 1,
  CVB_CODE39 = 1 << 2,
  CVB_CODE93 = 1 << 3,
  CVB_CODE128 = 1 << 4,
  CVB_DATABAR = 1 << 5,
  CVB_DATABAR_EXPANDED = 1 << 6,
  CVB_DATA_MATRIX = 1 << 7,
  CVB_EAN8 = 1 << 8,
  CVB_EAN13 = 1 << 9,
  CVB_ITF = 1 << 10,
  CVB_MAXICODE = 1 << 11,
  CVB_PDF417 = 1 << 12,
  CVB_QR = 1 << 13,
  CVB_UPCA = 1 << 14,
  CVB_UPCE = 1 << 15,
  CVB_MICRO_QR = 1 << 16,
} cvb_format;

/* How the image is binarised. */
typedef enum cvb_threshold {
  CVB_THRESHOLD_LOCAL = 0, /* the mean of the neighbourhood (linear barcodes: as CVB_THRESHOLD_HISTOGRAM) */
  CVB_THRESHOLD_HISTOGRAM, /* the valley between two peaks, by row for linear barcodes */
  CVB_THRESHOLD_EXTREMES,  /* only for cvb_read_lines: halfway between neighbouring extremes, to a quarter pixel */
  CVB_THRESHOLD_FIXED,     /* black is up to 127 */
  CVB_THRESHOLD_LIBRARY,   /* as CVB_THRESHOLD_LOCAL, but all of it done by the library: for comparisons */
} cvb_threshold;

typedef struct cvb_options {
  uint32_t formats; /* a sum of cvb_format; 0 finds nothing */
  cvb_threshold threshold;
  bool try_harder;   /* more rows and positions */
  bool try_rotate;   /* quarter turns as well */
  bool try_downscale; /* the image at a third and so on, where it is large */
  bool add_ons;      /* reads the two or five digits beside an EAN or UPC code */
  uint8_t minimum_lines; /* how many scan lines of a linear barcode must agree, at least 1 */
  uint8_t most_codes;    /* the most codes to return; 0 for all */
  /* How many candidates of finder patterns the image may have where QR codes are read with CVB_THRESHOLD_LOCAL; 0 for
   * any number. The library forms all triples of the patterns that it finds: 1000 of them take it ten seconds. */
  uint16_t most_finder_patterns;
} cvb_options;

typedef enum cvb_status {
  CVB_OK = 0,
  CVB_INVALID_ARGUMENT, /* a size below 1 or above CVB_LARGEST_SIDE, rows that are too short */
  CVB_NO_MEMORY,
  CVB_FAILED, /* the library threw an exception */
} cvb_status;

enum { CVB_LARGEST_SIDE = 32767 };

/* The kind of a code's content, as the library reports it. */
typedef enum cvb_content {
  CVB_CONTENT_TEXT = 0,
  CVB_CONTENT_BINARY,
  CVB_CONTENT_MIXED,
  CVB_CONTENT_GS1,
  CVB_CONTENT_ISO15434,
  CVB_CONTENT_UNKNOWN_ECI,
} cvb_content;

/* One code. Pointers hold as long as the cvb_codes they came from; none is NULL. */
typedef struct cvb_code {
  cvb_format format;
  /* Top left, top right, bottom right, bottom left in the code's own orientation; x, y in pixels from the top left. The
   * four of a linear barcode lie on one line. */
  int32_t corners[8];
  const char *text; /* UTF-8, not ended by 0 */
  size_t text_length;
  const uint8_t *bytes; /* as they were encoded, before any character set */
  size_t byte_count;
  const uint8_t *codewords; /* of 2-D barcodes: after error correction, packed */
  size_t codeword_count;
  int32_t bit_count;         /* of the codewords, where that is known; else 0 */
  char error_correction[16]; /* the level as the library names it: "L", "23%"; may be empty. Ends with 0 */
  char identifier[8];        /* the symbology identifier, as "]Q1". Ends with 0 */
  cvb_content content;
  bool is_mirrored;
  bool is_reader_initialisation;
  int32_t line_count; /* linear barcodes: how many scan lines agreed */
  int32_t sequence_index, sequence_size; /* of a code that is part of several; -1 */
} cvb_code;

typedef struct cvb_codes cvb_codes; /* opaque */

/* Reads the codes of a grey image: `height` rows of `width` bytes, `row_bytes` apart. On CVB_OK *codes is an object to
 * be freed with cvb_codes_free, which may hold no code; else it is NULL. */
cvb_status cvb_read(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes, const cvb_options *options,
                    cvb_codes **codes);

/* Reads every row as an image of its own: linear barcodes along it. The corners of what is found lie in their row, from
 * the start of the code to its end; `try_rotate`, `try_downscale` and `minimum_lines` are ignored. Rows without enough
 * bars beside each other are not given to the library. */
cvb_status cvb_read_lines(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes, const cvb_options *options,
                          cvb_codes **codes);

/* Reads an Aztec code whose modules are known: `side` rows of `side` bytes, 0 for dark ones. The middle of the code is
 * that of the modules, whose number in a row is odd; it may be turned or mirrored. Corners are in modules. At most one
 * code is found. */
cvb_status cvb_read_aztec(const uint8_t *modules, int side, cvb_codes **codes);

/* Writes the sides in modules of the Aztec codes that such modules can be the middle of, at least 15 by 15: what the
 * ring around the bull's-eye of a compact code says, or that of a full one; then 0. */
cvb_status cvb_aztec_sides(const uint8_t *modules, int side, int sides[2]);

/* Whether the library gives the codewords of 2-D barcodes: ZXing-C++ 1.4 does, 2.3 does not. */
bool cvb_gives_codewords(void);

size_t cvb_codes_count(const cvb_codes *codes);
/* NULL beyond the end. */
const cvb_code *cvb_codes_at(const cvb_codes *codes, size_t index);
/* Does nothing for NULL. */
void cvb_codes_free(cvb_codes *codes);

/* Draws a code, one byte a module: 0 dark, 255 light, rows from the top, `margin` light modules on each side. `format`
 * is the library's name of it ("QRCode", "EAN-13"); `text` is UTF-8 and ends with 0, and is encoded as ISO Latin 1
 * where `is_latin` says that all of it can be; `level` is that of error correction, 0...8, or -1. Returns the number of
 * bytes, which are written where they fit into `capacity`, and the size; 0 where the library refuses. */
size_t cvb_write(const char *format, const char *text, bool is_latin, int level, int margin, uint8_t *modules,
                 size_t capacity, int *width, int *height);

#ifdef __cplusplus
}
#endif
#endif
