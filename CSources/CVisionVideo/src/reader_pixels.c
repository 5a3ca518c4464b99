// The pixels of the current frame, in the layouts that pixel buffers have.
#include "common.h"
#include "planes.h"
#include "reader.h"

/// The coefficients of the frame's own colours, for both ends of a conversion.
static void set_colours(struct SwsContext *context, const cvv_reader *reader, int destination_range)
{
    int space = reader->frame->colorspace;
    if (space == AVCOL_SPC_UNSPECIFIED) {
        space = reader->frame->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
    }
    const int *table = ffmpeg.sws_getCoefficients(space);
    ffmpeg.sws_setColorspaceDetails(context, table, reader->full_range, table, destination_range, 0, 1 << 16, 1 << 16);
}

/// Converts the current frame into `conversion->frame`.
static cvv_status convert(
    cvv_reader *reader, struct conversion *conversion, enum AVPixelFormat format, int range, char *message)
{
    AVFrame *to = conversion->frame;
    if (!to->data[0]) {
        to->format = format;
        to->width = reader->width;
        to->height = reader->height;
        if (ffmpeg.av_frame_get_buffer(to, 0) < 0) {
            ffmpeg.av_frame_unref(to);
            return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
        }
    }
    if (!conversion->context) {
        conversion->context = ffmpeg.sws_getContext(
            reader->width, reader->height, reader->format, reader->width, reader->height, format,
            SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, NULL, NULL, NULL);
        if (!conversion->context) {
            const char *name = ffmpeg.av_get_pix_fmt_name(reader->format);
            return cvv_fail(
                CVV_UNSUPPORTED, message, "has a pixel layout that cannot be converted (%s)", name ? name : "unknown");
        }
        set_colours(conversion->context, reader, range);
    }
    const AVFrame *from = reader->frame;
    int rows = ffmpeg.sws_scale(
        conversion->context, (const uint8_t *const *)from->data, from->linesize, 0, from->height, to->data,
        to->linesize);
    return rows == to->height ? CVV_OK : cvv_fail(CVV_UNSUPPORTED, message, "has a frame that cannot be converted");
}

cvv_status cvv_reader_copy_420(
    cvv_reader *reader, uint8_t *luma, ptrdiff_t luma_stride, uint8_t *chroma, ptrdiff_t chroma_stride, char *message)
{
    const AVFrame *frame = reader->frame;
    if (!frame->data[0]) {
        return cvv_fail(CVV_END, message, "there is no current frame");
    }
    int half_width = (reader->width + 1) / 2, half_height = (reader->height + 1) / 2;
    int planar = reader->format == AV_PIX_FMT_YUV420P || reader->format == AV_PIX_FMT_YUVJ420P;
    if (planar && reader->quarter_turns == 0) {
        // By far the most videos: no conversion, two passes over the bytes.
        cvv_turn(luma, luma_stride, frame->data[0], frame->linesize[0], reader->width, reader->height, 1, 0);
        cvv_interleave(
            chroma, chroma_stride, frame->data[1], frame->linesize[1], frame->data[2], frame->linesize[2], half_width,
            half_height);
        return CVV_OK;
    }
    if (reader->format != AV_PIX_FMT_NV12) {
        cvv_status status = convert(reader, &reader->to_420, AV_PIX_FMT_NV12, reader->full_range, message);
        if (status != CVV_OK) {
            return status;
        }
        frame = reader->to_420.frame;
    }
    int turns = reader->quarter_turns;
    cvv_turn(luma, luma_stride, frame->data[0], frame->linesize[0], reader->width, reader->height, 1, turns);
    cvv_turn(chroma, chroma_stride, frame->data[1], frame->linesize[1], half_width, half_height, 2, turns);
    return CVV_OK;
}

cvv_status cvv_reader_copy_bgra(cvv_reader *reader, uint8_t *pixels, ptrdiff_t stride, char *message)
{
    if (!reader->frame->data[0]) {
        return cvv_fail(CVV_END, message, "there is no current frame");
    }
    cvv_status status = convert(reader, &reader->to_bgra, AV_PIX_FMT_BGRA, 1, message);
    if (status != CVV_OK) {
        return status;
    }
    const AVFrame *frame = reader->to_bgra.frame;
    cvv_turn(
        pixels, stride, frame->data[0], frame->linesize[0], reader->width, reader->height, 4, reader->quarter_turns);
    return CVV_OK;
}
