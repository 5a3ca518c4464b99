/* Reads the orientation of an EXIF block. */
#include <string.h>

#include <libexif/exif-data.h>
#include <libexif/exif-utils.h>

#include "internal.h"

uint32_t cvd_exif_orientation(const uint8_t *data, size_t size) {
  static const uint8_t prefix[6] = {'E', 'x', 'i', 'f', 0, 0};
  if (size > 1 << 16) size = 1 << 16; /* a JPEG's is never longer, and the first directory stands in front */
  uint8_t block[sizeof prefix + (1 << 16)];
  size_t skipped = size >= sizeof prefix && memcmp(data, prefix, sizeof prefix) == 0 ? sizeof prefix : 0;
  memcpy(block, prefix, sizeof prefix); /* libexif wants it; PNG and most WebP files have none */
  memcpy(block + sizeof prefix, data + skipped, size - skipped);

  ExifData *exif = exif_data_new();
  if (!exif) return 1;
  exif_data_unset_option(exif, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  exif_data_load_data(exif, block, (unsigned)(sizeof prefix + size - skipped));
  ExifEntry *entry = exif_content_get_entry(exif->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
  uint32_t orientation = 1;
  if (entry && entry->data && entry->components >= 1) {
    ExifByteOrder order = exif_data_get_byte_order(exif);
    if (entry->format == EXIF_FORMAT_SHORT && entry->size >= 2)
      orientation = exif_get_short(entry->data, order);
    else if (entry->format == EXIF_FORMAT_LONG && entry->size >= 4)
      orientation = exif_get_long(entry->data, order);
  }
  exif_data_unref(exif);
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}
