/* GIF by giflib: the first frame on its canvas. */
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "internal.h"

typedef struct reader {
  cvd_input input;
  size_t position;
  bool read_past_end;
} reader;

static int on_read(GifFileType *gif, GifByteType *target, int count) {
  reader *r = gif->UserData;
  size_t left = r->input.size - r->position;
  size_t taken = count < 0 ? 0 : (size_t)count;
  if (taken > left) {
    r->read_past_end = true;
    taken = left;
  }
  if (taken > 0) memcpy(target, r->input.data + r->position, taken);
  r->position += taken;
  return (int)taken;
}

static cvd_status failed(const reader *r, int code, cvd_message *message) {
  if (r->read_past_end)
    return cvd_fail(message, CVD_TRUNCATED, "GIF: the data ends before the image does (truncated file)");
  if (code == D_GIF_ERR_NOT_ENOUGH_MEM) return cvd_fail(message, CVD_NO_MEMORY, "GIF: no memory for the decoder");
  const char *text = GifErrorString(code);
  return cvd_fail(message, CVD_DAMAGED, "GIF: %s", text ? text : "the data contradicts itself");
}

/* Reads on to the first frame's description. *transparent receives its transparent palette entry, or -1. */
static cvd_status find_frame(GifFileType *gif, reader *r, int *transparent, cvd_message *message) {
  *transparent = NO_TRANSPARENT_COLOR;
  for (;;) {
    GifRecordType type;
    if (DGifGetRecordType(gif, &type) == GIF_ERROR) return failed(r, gif->Error, message);
    if (type == IMAGE_DESC_RECORD_TYPE)
      return DGifGetImageDesc(gif) == GIF_ERROR ? failed(r, gif->Error, message) : CVD_OK;
    if (type == TERMINATE_RECORD_TYPE) return cvd_fail(message, CVD_DAMAGED, "GIF: the file has no image");
    if (type != EXTENSION_RECORD_TYPE) continue;
    int code = 0;
    GifByteType *bytes = NULL;
    if (DGifGetExtension(gif, &code, &bytes) == GIF_ERROR) return failed(r, gif->Error, message);
    while (bytes) {
      GraphicsControlBlock control;
      if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(bytes[0], bytes + 1, &control) == GIF_OK)
        *transparent = control.TransparentColor;
      if (DGifGetExtensionNext(gif, &bytes) == GIF_ERROR) return failed(r, gif->Error, message);
    }
  }
}

static cvd_status describe(const GifFileType *gif, int transparent, cvd_info *info, cvd_message *message) {
  const GifImageDesc *frame = &gif->Image;
  /* Some encoders leave the canvas empty; the frame is the image then. */
  bool has_canvas = gif->SWidth > 0 && gif->SHeight > 0;
  info->width = (uint32_t)(has_canvas ? gif->SWidth : frame->Left + frame->Width);
  info->height = (uint32_t)(has_canvas ? gif->SHeight : frame->Top + frame->Height);
  info->bits_per_channel = 8;
  info->channels = 1;
  info->colour = CVD_COLOUR_PALETTE;
  bool covers = frame->Left == 0 && frame->Top == 0 && (uint32_t)frame->Width >= info->width &&
                (uint32_t)frame->Height >= info->height;
  info->has_alpha = transparent != NO_TRANSPARENT_COLOR || !covers;
  if (frame->Width <= 0 || frame->Height <= 0)
    return cvd_fail(message, CVD_DAMAGED, "GIF: the first frame says it is %d x %d pixels", frame->Width,
                    frame->Height);
  return CVD_OK;
}

typedef struct frame_reader {
  GifFileType *gif;
  reader *source;
  const ColorMapObject *palette;
  int transparent;
  uint8_t *indices; /* one row of the frame */
  uint8_t *colours; /* RGBA of the part of it that lies on the canvas */
} frame_reader;

static cvd_status read_row(frame_reader *f, uint32_t row, cvd_output output, cvd_message *message) {
  const GifImageDesc *frame = &f->gif->Image;
  if (DGifGetLine(f->gif, f->indices, frame->Width) == GIF_ERROR) return failed(f->source, f->gif->Error, message);
  uint32_t left = (uint32_t)frame->Left, y = (uint32_t)frame->Top + row;
  if (y >= output.height || left >= output.width) return CVD_OK;
  uint32_t width = (uint32_t)frame->Width < output.width - left ? (uint32_t)frame->Width : output.width - left;
  for (uint32_t x = 0; x < width; x++) {
    int index = f->indices[x];
    uint8_t *target = f->colours + 4 * (size_t)x;
    if (index == f->transparent) {
      memset(target, 0, 4);
      continue;
    }
    if (index >= f->palette->ColorCount)
      return cvd_fail(message, CVD_DAMAGED, "GIF: a pixel has colour %d of a palette of %d", index,
                      f->palette->ColorCount);
    const GifColorType *colour = &f->palette->Colors[index];
    target[0] = colour->Red, target[1] = colour->Green, target[2] = colour->Blue, target[3] = 255;
  }
  cvd_convert_row(output.pixels + y * output.row_bytes + left * cvd_bytes_per_pixel(output.layout), output.layout,
                  f->colours, CVD_FROM_RGBA, width);
  return CVD_OK;
}

static cvd_status read_rows(frame_reader *f, cvd_output output, cvd_message *message) {
  static const uint32_t first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
  bool interlaced = f->gif->Image.Interlace;
  uint32_t height = (uint32_t)f->gif->Image.Height;
  cvd_status status = CVD_OK;
  for (int pass = 0; pass < (interlaced ? 4 : 1); pass++)
    for (uint32_t row = interlaced ? first[pass] : 0; row < height && status == CVD_OK;
         row += interlaced ? step[pass] : 1)
      status = read_row(f, row, output, message);
  return status;
}

static cvd_status decode(GifFileType *gif, reader *r, const cvd_info *probed, cvd_output output, cvd_message *message) {
  cvd_info info = {0};
  frame_reader f = {.gif = gif, .source = r};
  cvd_status status = find_frame(gif, r, &f.transparent, message);
  if (status == CVD_OK) status = describe(gif, f.transparent, &info, message);
  if (status != CVD_OK) return status;
  if (info.width != probed->width || info.height != probed->height)
    return cvd_fail(message, CVD_DAMAGED, "GIF: the size is not the one that was probed");
  f.palette = gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
  if (!f.palette) return cvd_fail(message, CVD_DAMAGED, "GIF: the image has no palette");
  for (uint32_t y = 0; y < output.height; y++)
    memset(output.pixels + y * output.row_bytes, 0, output.width * cvd_bytes_per_pixel(output.layout));
  f.indices = malloc((size_t)gif->Image.Width);
  f.colours = malloc((size_t)gif->Image.Width * 4);
  status = f.indices && f.colours ? read_rows(&f, output, message)
                                  : cvd_fail(message, CVD_NO_MEMORY, "GIF: no memory for the decoder");
  free(f.indices);
  free(f.colours);
  return status;
}

cvd_status cvd_probe_gif(cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  reader r = {.input = input};
  int code = 0, transparent = 0;
  GifFileType *gif = DGifOpen(&r, on_read, &code);
  if (!gif) return failed(&r, code, message);
  cvd_status status = find_frame(gif, &r, &transparent, message);
  if (status == CVD_OK) status = describe(gif, transparent, info, message);
  DGifCloseFile(gif, &code);
  return status == CVD_OK ? cvd_check_size(info, pixel_limit, message) : status;
}

cvd_status cvd_decode_gif(cvd_input input, const cvd_info *info, cvd_output output, cvd_message *message) {
  reader r = {.input = input};
  int code = 0;
  GifFileType *gif = DGifOpen(&r, on_read, &code);
  if (!gif) return failed(&r, code, message);
  cvd_status status = decode(gif, &r, info, output, message);
  DGifCloseFile(gif, &code);
  return status;
}
