#include "common.h"

#include <stdarg.h>
#include <stdio.h>

cvv_status cvv_fail(cvv_status status, char *message, const char *format, ...)
{
    if (message) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, CVV_MESSAGE_SIZE, format, arguments);
        va_end(arguments);
    }
    return status;
}

const char *cvv_words(int code, char buffer[AV_ERROR_MAX_STRING_SIZE])
{
    ffmpeg.av_strerror(code, buffer, AV_ERROR_MAX_STRING_SIZE);
    return buffer;
}
