/* Shared by all codecs: error messages and the check of the size. */
#include <stdarg.h>
#include <stdio.h>

#include "internal.h"

cvd_status cvd_fail(cvd_message *message, cvd_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message->text, sizeof message->text, format, arguments);
  va_end(arguments);
  /* Codecs quote bytes of the file in their texts; Swift wants UTF-8. */
  for (char *c = message->text; *c; c++)
    if ((unsigned char)*c < 32 || (unsigned char)*c > 126) *c = '?';
  return status;
}

enum { LONGEST_SIDE = 1 << 24 }; /* rows of four bytes a pixel, and eight of them, still fit an int */

cvd_status cvd_check_size(const cvd_info *info, uint64_t pixel_limit, cvd_message *message) {
  if (info->width == 0 || info->height == 0)
    return cvd_fail(message, CVD_DAMAGED, "the image says it is %u x %u pixels", info->width, info->height);
  if (info->width > LONGEST_SIDE || info->height > LONGEST_SIDE)
    return cvd_fail(message, CVD_UNSUPPORTED, "the image says it is %u x %u pixels; a side has at most %d", info->width,
                    info->height, LONGEST_SIDE);
  if ((uint64_t)info->width * info->height > pixel_limit)
    return cvd_fail(message, CVD_TOO_LARGE, "the image says it is %u x %u pixels; the limit is %llu pixels",
                    info->width, info->height, (unsigned long long)pixel_limit);
  return CVD_OK;
}
