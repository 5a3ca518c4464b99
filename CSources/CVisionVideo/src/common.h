#pragma once

#include "ffmpeg.h"

/// Writes a message of at most CVV_MESSAGE_SIZE bytes and returns `status`.
cvv_status cvv_fail(cvv_status status, char *message, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// FFmpeg's message for an error code.
const char *cvv_words(int code, char buffer[AV_ERROR_MAX_STRING_SIZE]);
