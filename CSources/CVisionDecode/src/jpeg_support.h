/* libjpeg's errors as status codes. */
#ifndef CVD_JPEG_SUPPORT_H
#define CVD_JPEG_SUPPORT_H

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include <jerror.h> /* after jpeglib.h: some of its codes depend on it */

#include "internal.h"

typedef struct jpeg_guard {
  struct jpeg_error_mgr manager; /* first: libjpeg hands a pointer to it back */
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  cvd_status status;
  cvd_message *message;
  bool end_is_truncation; /* running out of data means that pixels are missing */
  bool reached_end;
} jpeg_guard;

/* Fills *guard and returns what belongs into cinfo->err. */
struct jpeg_error_mgr *cvd_jpeg_guard(jpeg_guard *guard, cvd_message *message);

#endif
