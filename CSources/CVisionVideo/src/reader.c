#include "common.h"
#include "completeness.h"
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most packets without a frame or an error, so that no codec runs for ever.
enum { PACKETS_WITHOUT_FRAME = 4096 };

void cvv_reader_close(cvv_reader *reader)
{
    if (!reader) {
        return;
    }
    ffmpeg.sws_freeContext(reader->to_420.context);
    ffmpeg.sws_freeContext(reader->to_bgra.context);
    ffmpeg.av_frame_free(&reader->to_420.frame);
    ffmpeg.av_frame_free(&reader->to_bgra.frame);
    ffmpeg.av_frame_free(&reader->frame);
    ffmpeg.av_packet_free(&reader->packet);
    ffmpeg.avcodec_free_context(&reader->decoder);
    ffmpeg.avformat_close_input(&reader->container);
    cvv_source_close(&reader->source);
    free(reader);
}

double cvv_reader_time(const cvv_reader *reader)
{
    int64_t time = reader->frame->best_effort_timestamp;
    if (time == AV_NOPTS_VALUE || reader->first_time == AV_NOPTS_VALUE) {
        return NAN;
    }
    return ((double)time - (double)reader->first_time)
        * av_q2d(reader->container->streams[reader->stream]->time_base);
}

int64_t cvv_reader_damaged_packets(const cvv_reader *reader)
{
    return reader->damaged;
}

/// Reads the properties of the streams. Frames may be decoded for that, so the limit holds here already.
static int probe(AVFormatContext *container, int64_t pixel_limit)
{
    unsigned count = container->nb_streams;
    AVDictionary **options = calloc(count + 1, sizeof *options);
    int code = options ? 0 : AVERROR(ENOMEM);
    for (unsigned i = 0; i < count && code >= 0; i++) {
        code = ffmpeg.av_dict_set_int(&options[i], "max_pixels", pixel_limit, 0);
    }
    if (code >= 0) {
        code = ffmpeg.avformat_find_stream_info(container, options);
    }
    for (unsigned i = 0; options && i < count; i++) {
        ffmpeg.av_dict_free(&options[i]);
    }
    free(options);
    return code;
}

/// Opens the container and reads the properties of its streams.
static cvv_status open_container(cvv_reader *reader, const cvv_source *source, char *message)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    cvv_status status = cvv_source_open(&reader->source, source, &reader->container, message);
    if (status != CVV_OK) {
        return status;
    }
    int code = probe(reader->container, source->pixel_limit);
    if (cvv_source_ended(&reader->source)) {
        return cvv_source_failure(&reader->source, message);
    }
    if (code < 0) {
        return cvv_fail(CVV_NOT_A_VIDEO, message, "holds no readable stream: %s", cvv_words(code, words));
    }
    return CVV_OK;
}

static cvv_status open_decoder(cvv_reader *reader, int64_t pixel_limit, int threads, char *message)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    const AVCodec *codec = NULL;
    reader->stream = ffmpeg.av_find_best_stream(reader->container, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (reader->stream == AVERROR_DECODER_NOT_FOUND) {
        return cvv_fail(CVV_UNSUPPORTED, message, "uses a codec that the installed FFmpeg cannot decode");
    }
    if (reader->stream < 0 || !codec) {
        return cvv_fail(CVV_NOT_A_VIDEO, message, "has no video stream");
    }
    const AVCodecParameters *parameters = reader->container->streams[reader->stream]->codecpar;
    if (parameters->width > 0 && parameters->height > 0
        && (int64_t)parameters->width * parameters->height > pixel_limit) {
        return cvv_fail(
            CVV_TOO_LARGE, message, "has frames of %dx%d pixels; the limit is %lld pixels", parameters->width,
            parameters->height, (long long)pixel_limit);
    }
    reader->decoder = ffmpeg.avcodec_alloc_context3(codec);
    if (!reader->decoder) {
        return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
    }
    int code = ffmpeg.avcodec_parameters_to_context(reader->decoder, parameters);
    if (code >= 0) {
        reader->decoder->pkt_timebase = reader->container->streams[reader->stream]->time_base;
        // The header may be wrong: the decoder refuses larger frames too.
        reader->decoder->max_pixels = pixel_limit;
        reader->decoder->thread_count = threads;
        code = ffmpeg.avcodec_open2(reader->decoder, codec, NULL);
    }
    if (code < 0) {
        return cvv_fail(CVV_UNSUPPORTED, message, "cannot be decoded (%s): %s", codec->name, cvv_words(code, words));
    }
    for (unsigned i = 0; i < reader->container->nb_streams; i++) {
        if ((int)i != reader->stream) {
            reader->container->streams[i]->discard = AVDISCARD_ALL;
        }
    }
    return CVV_OK;
}

/// At the end of the packets: whether the file is all there.
static cvv_status end_of_video(const cvv_reader *reader, char *message)
{
    if (reader->frames == 0) {
        return cvv_fail(CVV_DAMAGED, message, "has no frame that can be decoded");
    }
    if (reader->missing_bytes > 0) {
        return cvv_fail(
            CVV_DAMAGED, message, "breaks off after %lld frames; %lld bytes are missing", (long long)reader->frames,
            (long long)reader->missing_bytes);
    }
    return CVV_END;
}

/// Gives the decoder one packet more, or tells it that there are none.
static cvv_status feed(cvv_reader *reader, char *message)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    for (;;) {
        int code = ffmpeg.av_read_frame(reader->container, reader->packet);
        if (code == AVERROR(EAGAIN) && cvv_source_wait(&reader->source)) {
            continue;
        }
        if (code < 0 && cvv_source_ended(&reader->source)) {
            return cvv_source_failure(&reader->source, message);
        }
        if (code < 0) {
            int end = code == AVERROR_EOF;
            int broken = reader->container->pb && reader->container->pb->error < 0;
            reader->draining = 1;
            ffmpeg.avcodec_send_packet(reader->decoder, NULL);
            if (end && !broken) {
                return CVV_OK;
            }
            return cvv_fail(
                CVV_DAMAGED, message, "breaks off after %lld frames: %s", (long long)reader->frames,
                cvv_words(end ? reader->container->pb->error : code, words));
        }
        if (reader->packet->stream_index != reader->stream) {
            ffmpeg.av_packet_unref(reader->packet);
            continue;
        }
        // A packet that lacks its end is counted as damaged; whether it makes a frame is the decoder's business.
        int corrupt = reader->packet->flags & AV_PKT_FLAG_CORRUPT;
        code = ffmpeg.avcodec_send_packet(reader->decoder, reader->packet);
        ffmpeg.av_packet_unref(reader->packet);
        if (code == AVERROR(ENOMEM)) {
            return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
        }
        if (corrupt || (code < 0 && code != AVERROR(EAGAIN) && code != AVERROR_EOF)) {
            reader->damaged++;
        }
        return CVV_OK;
    }
}

static cvv_status decode(cvv_reader *reader, char *message)
{
    ffmpeg.av_frame_unref(reader->frame);
    for (int packets = 0; packets < PACKETS_WITHOUT_FRAME;) {
        int code = ffmpeg.avcodec_receive_frame(reader->decoder, reader->frame);
        if (code >= 0) {
            reader->frames++;
            return CVV_OK;
        }
        if (code == AVERROR_EOF) {
            return end_of_video(reader, message);
        }
        if (code == AVERROR(ENOMEM)) {
            return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
        }
        if (code != AVERROR(EAGAIN)) {
            reader->damaged++;
            packets++;
            continue;
        }
        if (reader->draining) {
            return end_of_video(reader, message);
        }
        cvv_status status = feed(reader, message);
        if (status != CVV_OK) {
            return status;
        }
        packets++;
    }
    return cvv_fail(CVV_DAMAGED, message, "yields no frame for %d packets", PACKETS_WITHOUT_FRAME);
}

/// Clockwise quarter turns from the display matrix; other angles and mirrored videos are taken as they lie.
static int quarter_turns(const AVStream *stream, const AVFrame *frame)
{
    const uint8_t *matrix = NULL;
    const AVFrameSideData *side = ffmpeg.av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (side && side->size >= 9 * sizeof(int32_t)) {
        matrix = side->data;
    } else {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
        const AVPacketSideData *packet = ffmpeg.av_packet_side_data_get(
            stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
        matrix = packet && packet->size >= 9 * sizeof(int32_t) ? packet->data : NULL;
#else
        size_t size = 0;
        matrix = ffmpeg.av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
        matrix = size >= 9 * sizeof(int32_t) ? matrix : NULL;
#endif
    }
    if (!matrix) {
        return 0;
    }
    double angle = ffmpeg.av_display_rotation_get((const int32_t *)matrix);
    if (isnan(angle)) {
        return 0;
    }
    // FFmpeg's angle is counter-clockwise.
    int turns = (int)lround(-angle / 90);
    return fabs(-angle - turns * 90.0) < 1 ? ((turns % 4) + 4) % 4 : 0;
}

static void describe(cvv_reader *reader, cvv_video *video)
{
    AVStream *stream = reader->container->streams[reader->stream];
    const AVFrame *frame = reader->frame;
    int turned = reader->quarter_turns % 2;
    AVRational rate = ffmpeg.av_guess_frame_rate(reader->container, stream, reader->frame);
    AVRational aspect = ffmpeg.av_guess_sample_aspect_ratio(reader->container, stream, reader->frame);
    if (rate.num <= 0 || rate.den <= 0) {
        rate = (AVRational){0, 1};
    }
    if (aspect.num <= 0 || aspect.den <= 0) {
        aspect = (AVRational){1, 1};
    }
    video->width = turned ? frame->height : frame->width;
    video->height = turned ? frame->width : frame->height;
    video->rate_numerator = rate.num;
    video->rate_denominator = rate.den;
    video->aspect_numerator = turned ? aspect.den : aspect.num;
    video->aspect_denominator = turned ? aspect.num : aspect.den;
    video->frame_count = reader->stated_frames;
    if (video->frame_count == 0 && rate.num > 0 && reader->container->duration > 0) {
        video->frame_count = ffmpeg.av_rescale(reader->container->duration, rate.num, (int64_t)AV_TIME_BASE * rate.den);
    }
    video->full_range = reader->full_range;
    video->bt709 = frame->colorspace == AVCOL_SPC_BT709
        || (frame->colorspace == AVCOL_SPC_UNSPECIFIED && frame->height >= 720);
    video->quarter_turns = reader->quarter_turns;
    snprintf(video->codec, sizeof video->codec, "%s", reader->decoder->codec->name);
}

cvv_status cvv_reader_open(
    const cvv_source *source, cvv_cancellation *cancellation, cvv_reader **result, cvv_video *video, char *message)
{
    *result = NULL;
    cvv_status status = cvv_load_ffmpeg(message);
    if (status != CVV_OK) {
        return status;
    }
    cvv_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
    }
    reader->source.cancellation = cancellation;
    reader->packet = ffmpeg.av_packet_alloc();
    reader->frame = ffmpeg.av_frame_alloc();
    reader->to_420.frame = ffmpeg.av_frame_alloc();
    reader->to_bgra.frame = ffmpeg.av_frame_alloc();
    if (!reader->packet || !reader->frame || !reader->to_420.frame || !reader->to_bgra.frame) {
        status = cvv_fail(CVV_NO_MEMORY, message, "out of memory");
    }
    if (status == CVV_OK) {
        status = open_container(reader, source, message);
    }
    if (status == CVV_OK) {
        status = open_decoder(reader, source->pixel_limit, source->threads, message);
    }
    if (status == CVV_OK) {
        int64_t stated = reader->container->streams[reader->stream]->nb_frames;
        reader->stated_frames = stated > 0 ? stated : 0;
        reader->missing_bytes = source->kind == CVV_FILE ? cvv_missing_bytes(source->address) : 0;
        status = decode(reader, message);
        if (status == CVV_END) {
            status = cvv_fail(CVV_DAMAGED, message, "has no frame that can be decoded");
        }
    }
    if (status != CVV_OK) {
        cvv_reader_close(reader);
        return status;
    }
    const AVFrame *frame = reader->frame;
    reader->width = frame->width;
    reader->height = frame->height;
    reader->format = frame->format;
    reader->full_range = frame->color_range == AVCOL_RANGE_JPEG || frame->format == AV_PIX_FMT_YUVJ420P
        || frame->format == AV_PIX_FMT_YUVJ422P || frame->format == AV_PIX_FMT_YUVJ444P;
    const AVPixFmtDescriptor *layout = ffmpeg.av_pix_fmt_desc_get(frame->format);
    if (layout && layout->flags & AV_PIX_FMT_FLAG_RGB) {
        reader->full_range = 0; // what the conversion from RGB makes
    }
    reader->quarter_turns = quarter_turns(reader->container->streams[reader->stream], frame);
    reader->first_time = frame->best_effort_timestamp;
    reader->first_is_waiting = 1;
    describe(reader, video);
    *result = reader;
    return CVV_OK;
}

cvv_status cvv_reader_next(cvv_reader *reader, char *message)
{
    if (reader->first_is_waiting) {
        reader->first_is_waiting = 0;
        return CVV_OK;
    }
    cvv_source_begin(&reader->source);
    cvv_status status = decode(reader, message);
    if (status == CVV_OK
        && (reader->frame->width != reader->width || reader->frame->height != reader->height
            || reader->frame->format != reader->format)) {
        status = cvv_fail(
            CVV_DAMAGED, message, "changes from %dx%d to %dx%d pixels, or its pixel layout, at frame %lld",
            reader->width, reader->height, reader->frame->width, reader->frame->height, (long long)reader->frames - 1);
        ffmpeg.av_frame_unref(reader->frame);
    }
    return status;
}
