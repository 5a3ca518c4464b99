/* WebP by libwebp: still images whole or reduced, animations by their first frame, which is reduced only where it fills
 * the canvas. */
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

#include "internal.h"

static cvd_status truncated(cvd_message *message) {
  return cvd_fail(message, CVD_TRUNCATED, "WebP: the data ends before the image does (truncated file)");
}

static cvd_status failed(cvd_message *message, VP8StatusCode code) {
  switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY: return cvd_fail(message, CVD_NO_MEMORY, "WebP: no memory for the decoder");
    case VP8_STATUS_UNSUPPORTED_FEATURE: return cvd_fail(message, CVD_UNSUPPORTED, "WebP: a feature that is not read");
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED: return truncated(message);
    default: return cvd_fail(message, CVD_DAMAGED, "WebP: the data contradicts itself");
  }
}

static bool has_exif(const WebPDemuxer *demuxer) {
  WebPChunkIterator exif;
  if (!WebPDemuxGetChunk(demuxer, "EXIF", 1, &exif)) return false;
  WebPDemuxReleaseChunkIterator(&exif);
  return true;
}

/* The parsed container and its first frame. On success the caller closes both. */
static cvd_status open_frame(cvd_input input, WebPDemuxer **demuxer, WebPIterator *frame, cvd_message *message) {
  WebPData data = {input.data, input.size};
  WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
  *demuxer = WebPDemuxPartial(&data, &state);
  if (!*demuxer || state == WEBP_DEMUX_PARSE_ERROR) {
    WebPDemuxDelete(*demuxer);
    if (state == WEBP_DEMUX_PARSING_HEADER) return truncated(message);
    return cvd_fail(message, CVD_DAMAGED, "WebP: the container's chunks contradict one another");
  }
  /* Later frames of an animation are not read, so they may be missing. */
  if (!WebPDemuxGetFrame(*demuxer, 1, frame)) {
    WebPDemuxDelete(*demuxer);
    if (state == WEBP_DEMUX_DONE) return cvd_fail(message, CVD_DAMAGED, "WebP: the container has no image");
    return truncated(message);
  }
  /* EXIF, which has the orientation, follows the pixels. */
  bool misses_exif = state != WEBP_DEMUX_DONE && (WebPDemuxGetI(*demuxer, WEBP_FF_FORMAT_FLAGS) & EXIF_FLAG) &&
                     !has_exif(*demuxer);
  if (!frame->complete || misses_exif) {
    WebPDemuxReleaseIterator(frame);
    WebPDemuxDelete(*demuxer);
    return truncated(message);
  }
  return CVD_OK;
}

static void close_frame(WebPDemuxer *demuxer, WebPIterator *frame) {
  WebPDemuxReleaseIterator(frame);
  WebPDemuxDelete(demuxer);
}

static bool fills_canvas(const WebPIterator *frame, const cvd_info *info) {
  return frame->x_offset == 0 && frame->y_offset == 0 && (uint32_t)frame->width == info->width &&
         (uint32_t)frame->height == info->height;
}

static void describe(WebPDemuxer *demuxer, const WebPIterator *frame, cvd_info *info) {
  info->width = WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH);
  info->height = WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT);
  info->bits_per_channel = 8;
  info->colour = CVD_COLOUR_RGB;
  info->has_alpha = frame->has_alpha || !fills_canvas(frame, info);
  info->is_reducible = fills_canvas(frame, info); /* a part of it would have to lie between reduced pixels */
  info->channels = info->has_alpha ? 4 : 3;
  WebPChunkIterator exif;
  if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &exif)) {
    info->orientation = cvd_exif_orientation(exif.chunk.bytes, exif.chunk.size);
    WebPDemuxReleaseChunkIterator(&exif);
  }
}

cvd_status cvd_probe_webp(cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  WebPDemuxer *demuxer = NULL;
  WebPIterator frame;
  memset(&frame, 0, sizeof frame);
  cvd_status status = open_frame(input, &demuxer, &frame, message);
  if (status != CVD_OK) return status;
  describe(demuxer, &frame, info);
  close_frame(demuxer, &frame);
  return cvd_check_size(info, pixel_limit, message);
}

/* The frame at width × height into rows of mode's layout. */
static cvd_status decode_frame(const WebPIterator *frame, WEBP_CSP_MODE mode, uint8_t *pixels, size_t row_bytes,
                               uint32_t width, uint32_t height, cvd_message *message) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return cvd_fail(message, CVD_UNSUPPORTED, "WebP: libwebp of another version");
  config.options.use_scaling = (uint32_t)frame->width != width || (uint32_t)frame->height != height;
  config.options.scaled_width = (int)width;
  config.options.scaled_height = (int)height;
  config.output.colorspace = mode;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = pixels;
  config.output.u.RGBA.stride = (int)row_bytes;
  config.output.u.RGBA.size = (height - 1) * row_bytes + width * (mode == MODE_RGB ? 3u : 4u);
  VP8StatusCode code = WebPDecode(frame->fragment.bytes, frame->fragment.size, &config);
  WebPFreeDecBuffer(&config.output);
  return code == VP8_STATUS_OK ? CVD_OK : failed(message, code);
}

/* Through RGB or RGBA, for layouts that libwebp does not write and for frames that need their alpha multiplied in. */
static cvd_status decode_converted(const WebPIterator *frame, cvd_output output, uint32_t width, uint32_t height,
                                   cvd_message *message) {
  cvd_source source = frame->has_alpha ? CVD_FROM_RGBA : CVD_FROM_RGB;
  size_t row_bytes = (size_t)width * (frame->has_alpha ? 4 : 3);
  uint8_t *rows = malloc(row_bytes * height);
  if (!rows) return cvd_fail(message, CVD_NO_MEMORY, "WebP: no memory for the decoder");
  cvd_status status =
      decode_frame(frame, frame->has_alpha ? MODE_RGBA : MODE_RGB, rows, row_bytes, width, height, message);
  if (status == CVD_OK)
    for (uint32_t y = 0; y < height; y++)
      cvd_convert_row(output.pixels + y * output.row_bytes, output.layout, rows + y * row_bytes, source, width);
  free(rows);
  return status;
}

static cvd_status decode(WebPDemuxer *demuxer, const WebPIterator *frame, const cvd_info *probed, cvd_output output,
                         cvd_message *message) {
  cvd_info info = {0};
  describe(demuxer, frame, &info);
  bool is_whole = output.width == info.width && output.height == info.height;
  if (info.width != probed->width || info.height != probed->height || (!info.is_reducible && !is_whole))
    return cvd_fail(message, CVD_DAMAGED, "WebP: the image is not the one that was probed");
  uint32_t width = output.width, height = output.height;
  if (!fills_canvas(frame, &info)) {
    if (frame->x_offset < 0 || frame->y_offset < 0 || frame->width <= 0 || frame->height <= 0 ||
        (int64_t)frame->x_offset + frame->width > info.width || (int64_t)frame->y_offset + frame->height > info.height)
      return cvd_fail(message, CVD_DAMAGED, "WebP: a frame reaches beyond the canvas");
    size_t bytes_per_pixel = cvd_bytes_per_pixel(output.layout);
    for (uint32_t y = 0; y < height; y++) memset(output.pixels + y * output.row_bytes, 0, width * bytes_per_pixel);
    output.pixels += (size_t)frame->y_offset * output.row_bytes + (size_t)frame->x_offset * bytes_per_pixel;
    width = (uint32_t)frame->width;
    height = (uint32_t)frame->height;
  }
  bool keeps_alpha = output.layout == CVD_BGRA8 || output.layout == CVD_RGBA8;
  if (output.row_bytes > INT32_MAX || output.layout == CVD_GREY8 || (frame->has_alpha && !keeps_alpha))
    return decode_converted(frame, output, width, height, message);
  WEBP_CSP_MODE mode = output.layout == CVD_RGB8 ? MODE_RGB : output.layout == CVD_BGRA8 ? MODE_BGRA : MODE_RGBA;
  return decode_frame(frame, mode, output.pixels, output.row_bytes, width, height, message);
}

cvd_status cvd_decode_webp(cvd_input input, const cvd_info *info, cvd_output output, cvd_message *message) {
  WebPDemuxer *demuxer = NULL;
  WebPIterator frame;
  memset(&frame, 0, sizeof frame);
  cvd_status status = open_frame(input, &demuxer, &frame, message);
  if (status != CVD_OK) return status;
  status = decode(demuxer, &frame, info, output, message);
  close_frame(demuxer, &frame);
  return status;
}
