/* Whether the first directory of a TIFF (TIFF 6.0, section 2; BigTIFF) is whole. */
#include "tiff_directory.h"

/* Of these a value may be too long for its entry, and stands elsewhere in the file. */
static bool decides_pixels(unsigned tag) {
  switch (tag) {
    case 258: /* bits of each sample */
    case 273: /* offsets of strips */
    case 279: /* bytes of strips */
    case 301: /* transfer function */
    case 318: /* white point */
    case 319: /* primary chromaticities */
    case 320: /* palette */
    case 324: /* offsets of tiles */
    case 325: /* bytes of tiles */
    case 338: /* what extra samples mean */
    case 339: /* sample format */
    case 347: /* tables of JPEG strips */
    case 529: /* coefficients of luma and chroma */
    case 532: /* reference black and white */
      return true;
    default: return false;
  }
}

typedef struct directory {
  cvd_input input;
  bool is_big_endian, is_big_tiff;
} directory;

/* An unsigned number of count bytes. The caller has checked that they are there. */
static uint64_t number(const directory *d, uint64_t offset, unsigned count) {
  uint64_t value = 0;
  for (unsigned i = 0; i < count; i++) {
    uint64_t byte = d->input.data[offset + (d->is_big_endian ? i : count - 1 - i)];
    value = value << 8 | byte;
  }
  return value;
}

static bool is_there(const directory *d, uint64_t offset, uint64_t count) {
  return offset <= d->input.size && count <= d->input.size - offset;
}

static uint64_t bytes_of_type(uint64_t type) {
  static const uint8_t bytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type < sizeof bytes ? bytes[type] : 0;
}

bool cvd_tiff_values_are_cut(cvd_input input) {
  if (input.size < 8) return true;
  directory d = {input, input.data[0] == 'M', false};
  d.is_big_tiff = number(&d, 2, 2) == 43;
  unsigned word = d.is_big_tiff ? 8 : 4;
  if (d.is_big_tiff && input.size < 16) return true;
  uint64_t at = number(&d, d.is_big_tiff ? 8 : 4, word);
  unsigned count_bytes = d.is_big_tiff ? 8 : 2, entry_bytes = d.is_big_tiff ? 20 : 12;
  if (!is_there(&d, at, count_bytes)) return true;
  uint64_t count = number(&d, at, count_bytes);
  at += count_bytes;
  for (uint64_t i = 0; i < count; i++, at += entry_bytes) {
    if (!is_there(&d, at, entry_bytes)) return true;
    uint64_t values = number(&d, at + 4, word), bytes = bytes_of_type(number(&d, at + 2, 2));
    if (!decides_pixels((unsigned)number(&d, at, 2)) || bytes == 0 || values <= word / bytes) continue;
    if (values > input.size || !is_there(&d, number(&d, at + 4 + word, word), values * bytes)) return true;
  }
  return false;
}
