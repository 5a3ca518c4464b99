/* What all codecs share: saying what is wrong, and the check of the size. */
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

cvd_status cvd_check_size(const cvd_info *info, uint64_t pixel_limit, cvd_message *message) {
  if (info->width == 0 || info->height == 0)
    return cvd_fail(message, CVD_DAMAGED, "the image says it is %u x %u pixels", info->width, info->height);
  if (info->width > INT32_MAX / 8 || info->height > INT32_MAX / 8 ||
      (uint64_t)info->width * info->height > pixel_limit)
    return cvd_fail(message, CVD_TOO_LARGE, "the image says it is %u x %u pixels; the limit is %llu pixels", info->width,
                    info->height, (unsigned long long)pixel_limit);
  return CVD_OK;
}
