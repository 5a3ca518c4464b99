#include "jpeg_support.h"

#include <string.h>

_Noreturn static void escape(jpeg_guard *guard, cvd_status status, const char *text) {
  guard->status = cvd_fail(guard->message, status, "JPEG: %s", text);
  longjmp(guard->escape, 1);
}

_Noreturn static void truncated(jpeg_guard *guard) {
  escape(guard, CVD_TRUNCATED, "the data ends before the image does (truncated file)");
}

_Noreturn static void on_error(j_common_ptr cinfo) {
  jpeg_guard *guard = (jpeg_guard *)cinfo->err;
  char text[JMSG_LENGTH_MAX];
  cinfo->err->format_message(cinfo, text);
  switch (cinfo->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE: escape(guard, CVD_NO_MEMORY, text);
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_NOT_COMPILED: escape(guard, CVD_UNSUPPORTED, text);
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF: truncated(guard);
    default:
      if (guard->reached_end) truncated(guard);
      escape(guard, CVD_DAMAGED, text);
  }
}

/* libjpeg goes on after damage with grey or smeared blocks and a warning. A wrong image that looks like a result is
 * worse than none here, so warnings that mean lost pixels end the decode; those about padding, versions and the like do
 * not. */
static void on_message(j_common_ptr cinfo, int level) {
  if (level >= 0) return;
  jpeg_guard *guard = (jpeg_guard *)cinfo->err;
  char text[JMSG_LENGTH_MAX];
  switch (cinfo->err->msg_code) {
    case JWRN_JPEG_EOF:
      guard->reached_end = true;
      if (guard->end_is_truncation) truncated(guard);
      break;
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
      if (guard->reached_end) truncated(guard);
      cinfo->err->format_message(cinfo, text);
      escape(guard, CVD_DAMAGED, text);
    default: break;
  }
}

static void ignore(j_common_ptr cinfo) { (void)cinfo; }

struct jpeg_error_mgr *cvd_jpeg_guard(jpeg_guard *guard, cvd_message *message) {
  memset(guard, 0, sizeof *guard);
  jpeg_std_error(&guard->manager);
  guard->manager.error_exit = on_error;
  guard->manager.emit_message = on_message;
  guard->manager.output_message = ignore;
  guard->message = message;
  return &guard->manager;
}
