#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cvv_writer {
    AVFormatContext *container;
    AVCodecContext *encoder;
    AVStream *stream;
    AVPacket *packet;
    AVFrame *frame;
    struct SwsContext *from_bgra;
    int64_t last_tick;
    int finished;
};

void cvv_writer_close(cvv_writer *writer)
{
    if (!writer) {
        return;
    }
    ffmpeg.sws_freeContext(writer->from_bgra);
    ffmpeg.av_frame_free(&writer->frame);
    ffmpeg.av_packet_free(&writer->packet);
    ffmpeg.avcodec_free_context(&writer->encoder);
    if (writer->container) {
        ffmpeg.avio_closep(&writer->container->pb);
        ffmpeg.avformat_free_context(writer->container);
    }
    free(writer);
}

/// H.264 where FFmpeg has an encoder for it, else MPEG-4, which FFmpeg itself always has.
static cvv_status open_encoder(
    cvv_writer *writer, int width, int height, AVRational rate, AVRational aspect, int threads, char *message)
{
    static const char *const names[] = {"libx264", "libopenh264", "mpeg4"};
    char words[AV_ERROR_MAX_STRING_SIZE];
    int code = AVERROR_ENCODER_NOT_FOUND;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const AVCodec *codec = ffmpeg.avcodec_find_encoder_by_name(names[i]);
        if (!codec || ffmpeg.avformat_query_codec(writer->container->oformat, codec->id, FF_COMPLIANCE_NORMAL) == 0) {
            continue;
        }
        AVCodecContext *encoder = ffmpeg.avcodec_alloc_context3(codec);
        if (!encoder) {
            return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
        }
        encoder->width = width;
        encoder->height = height;
        encoder->pix_fmt = AV_PIX_FMT_YUV420P;
        encoder->framerate = rate;
        encoder->time_base = av_inv_q(rate);
        encoder->sample_aspect_ratio = aspect;
        encoder->thread_count = threads;
        encoder->color_range = AVCOL_RANGE_MPEG;
        encoder->colorspace = height >= 720 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
        encoder->gop_size = 50;
        if (writer->container->oformat->flags & AVFMT_GLOBALHEADER) {
            encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        }
        if (codec->id == AV_CODEC_ID_MPEG4) {
            encoder->flags |= AV_CODEC_FLAG_QSCALE;
            encoder->global_quality = 4 * FF_QP2LAMBDA;
        } else {
            // Options that an encoder does not know are no failure: these are about quality and speed only.
            ffmpeg.av_opt_set(encoder->priv_data, "preset", "veryfast", 0);
            ffmpeg.av_opt_set(encoder->priv_data, "crf", "21", 0);
        }
        code = ffmpeg.avcodec_open2(encoder, codec, NULL);
        if (code >= 0) {
            writer->encoder = encoder;
            return CVV_OK;
        }
        ffmpeg.avcodec_free_context(&encoder);
    }
    return cvv_fail(
        CVV_NO_ENCODER, message, "no encoder of the installed FFmpeg can write %dx%d frames to it: %s", width, height,
        cvv_words(code, words));
}

static cvv_status open_file(cvv_writer *writer, const char *path, char *message)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    int code = ffmpeg.avcodec_parameters_from_context(writer->stream->codecpar, writer->encoder);
    if (code >= 0) {
        writer->stream->time_base = writer->encoder->time_base;
        writer->stream->avg_frame_rate = writer->encoder->framerate;
        writer->stream->sample_aspect_ratio = writer->encoder->sample_aspect_ratio;
        code = ffmpeg.avio_open(&writer->container->pb, path, AVIO_FLAG_WRITE);
    }
    if (code >= 0) {
        code = ffmpeg.avformat_write_header(writer->container, NULL);
    }
    if (code < 0) {
        return cvv_fail(CVV_IO, message, "%s", cvv_words(code, words));
    }
    return CVV_OK;
}

cvv_status cvv_writer_open(
    const char *path, int32_t width, int32_t height, int32_t rate_numerator, int32_t rate_denominator,
    int32_t aspect_numerator, int32_t aspect_denominator, int threads, cvv_writer **result, char *encoder,
    char *message)
{
    *result = NULL;
    cvv_status status = cvv_load_ffmpeg(message);
    if (status != CVV_OK) {
        return status;
    }
    width &= ~1;
    height &= ~1;
    if (width < 2 || height < 2) {
        return cvv_fail(CVV_NO_ENCODER, message, "a video needs at least 2x2 pixels");
    }
    const AVOutputFormat *format = ffmpeg.av_guess_format(NULL, path, NULL);
    if (!format || format->video_codec == AV_CODEC_ID_NONE || format->flags & (AVFMT_NOFILE | AVFMT_NEEDNUMBER)) {
        return cvv_fail(CVV_NO_ENCODER, message, "its name should end in .mp4, .mov, .mkv or .avi");
    }
    size_t length = sizeof "file:" + strlen(path);
    char *address = malloc(length);
    cvv_writer *writer = calloc(1, sizeof *writer);
    if (!writer || !address) {
        free(address);
        free(writer);
        return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
    }
    snprintf(address, length, "file:%s", path);
    writer->packet = ffmpeg.av_packet_alloc();
    writer->frame = ffmpeg.av_frame_alloc();
    ffmpeg.avformat_alloc_output_context2(&writer->container, format, NULL, address);
    if (!writer->packet || !writer->frame || !writer->container) {
        status = cvv_fail(CVV_NO_MEMORY, message, "out of memory");
    }
    if (status == CVV_OK) {
        AVRational rate, aspect;
        // MPEG-4 keeps the rate in 16 bits.
        ffmpeg.av_reduce(&rate.num, &rate.den, rate_numerator, rate_denominator, 65535);
        ffmpeg.av_reduce(&aspect.num, &aspect.den, aspect_numerator, aspect_denominator, 255);
        status = open_encoder(writer, width, height, rate, aspect, threads, message);
    }
    if (status == CVV_OK) {
        writer->stream = ffmpeg.avformat_new_stream(writer->container, NULL);
        writer->frame->format = AV_PIX_FMT_YUV420P;
        writer->frame->width = width;
        writer->frame->height = height;
        writer->from_bgra = ffmpeg.sws_getContext(
            width, height, AV_PIX_FMT_BGRA, width, height, AV_PIX_FMT_YUV420P, SWS_BILINEAR | SWS_ACCURATE_RND, NULL,
            NULL, NULL);
        if (!writer->stream || !writer->from_bgra || ffmpeg.av_frame_get_buffer(writer->frame, 0) < 0) {
            status = cvv_fail(CVV_NO_MEMORY, message, "out of memory");
        } else {
            const int *table = ffmpeg.sws_getCoefficients(writer->encoder->colorspace);
            ffmpeg.sws_setColorspaceDetails(writer->from_bgra, table, 1, table, 0, 0, 1 << 16, 1 << 16);
            status = open_file(writer, address, message);
        }
    }
    free(address);
    if (status != CVV_OK) {
        cvv_writer_close(writer);
        return status;
    }
    snprintf(encoder, 32, "%s", writer->encoder->codec->name);
    writer->last_tick = -1;
    *result = writer;
    return CVV_OK;
}

/// Sends a frame (NULL: the end) to the encoder and writes the packets that come out.
static cvv_status encode(cvv_writer *writer, AVFrame *frame, char *message)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    int code = ffmpeg.avcodec_send_frame(writer->encoder, frame);
    while (code >= 0) {
        code = ffmpeg.avcodec_receive_packet(writer->encoder, writer->packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) {
            return CVV_OK;
        }
        if (code >= 0) {
            writer->packet->stream_index = writer->stream->index;
            // A frame lasts one tick: without this the last one would have no duration.
            writer->packet->duration = writer->packet->duration > 0 ? writer->packet->duration : 1;
            ffmpeg.av_packet_rescale_ts(writer->packet, writer->encoder->time_base, writer->stream->time_base);
            code = ffmpeg.av_interleaved_write_frame(writer->container, writer->packet);
        }
    }
    return cvv_fail(CVV_IO, message, "%s", cvv_words(code, words));
}

cvv_status cvv_writer_add(cvv_writer *writer, int64_t tick, const uint8_t *pixels, ptrdiff_t stride, char *message)
{
    if (writer->finished) {
        return cvv_fail(CVV_IO, message, "the video is finished already");
    }
    // The encoder may still read the frame before.
    if (ffmpeg.av_frame_make_writable(writer->frame) < 0) {
        return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
    }
    const uint8_t *const planes[4] = {pixels};
    const int strides[4] = {(int)stride};
    ffmpeg.sws_scale(
        writer->from_bgra, planes, strides, 0, writer->frame->height, writer->frame->data, writer->frame->linesize);
    writer->last_tick = tick > writer->last_tick ? tick : writer->last_tick + 1;
    writer->frame->pts = writer->last_tick;
    return encode(writer, writer->frame, message);
}

cvv_status cvv_writer_finish(cvv_writer *writer, char *message)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    if (writer->finished) {
        return CVV_OK;
    }
    writer->finished = 1;
    cvv_status status = encode(writer, NULL, message);
    int code = ffmpeg.av_write_trailer(writer->container);
    int closed = ffmpeg.avio_closep(&writer->container->pb);
    if (status == CVV_OK && (code < 0 || closed < 0)) {
        status = cvv_fail(CVV_IO, message, "%s", cvv_words(code < 0 ? code : closed, words));
    }
    return status;
}
