// The monotonic clock.
#define _POSIX_C_SOURCE 200809L

#include "source.h"

#include "common.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// FFmpeg would also open text files, and playlists that name other files and addresses. Only containers are allowed.
#define CONTAINERS                                                                                                     \
    "mov,mp4,m4a,3gp,3g2,mj2,avi,matroska,webm,mpegts,mpeg,mpegvideo,m4v,h264,hevc,ogg,flv,asf,gif,apng,ivf,mxf,"      \
    "yuv4mpegpipe,dv,nut,wtv,rm"

struct rules {
    const char *protocols, *formats;
};

static const struct rules rules[] = {
    [CVV_FILE] = {"file", CONTAINERS},
    // Cameras send JPEG images in a row, too.
    [CVV_NETWORK] = {"http,https,httpproxy,tcp,tls", CONTAINERS ",rtsp,mpjpeg,mjpeg"},
    [CVV_DEVICE] = {"file", "video4linux2,v4l2"},
    [CVV_PIPE] = {"file", CONTAINERS ",mpjpeg,mjpeg"},
};

enum { PIPE_BUFFER = 1 << 16, POLL_MILLISECONDS = 50 };

struct cvv_cancellation {
    atomic_int is_cancelled;
};

cvv_cancellation *cvv_cancellation_create(void)
{
    return calloc(1, sizeof(cvv_cancellation));
}

void cvv_cancel(cvv_cancellation *cancellation)
{
    atomic_store(&cancellation->is_cancelled, 1);
}

void cvv_cancellation_free(cvv_cancellation *cancellation)
{
    free(cancellation);
}

static int is_cancelled(const struct source_state *state)
{
    return state->cancellation && atomic_load(&state->cancellation->is_cancelled);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void cvv_source_begin(struct source_state *state)
{
    state->deadline = state->timeout_milliseconds > 0 ? now() + state->timeout_milliseconds : INT64_MAX;
}

int cvv_source_ended(const struct source_state *state)
{
    return is_cancelled(state) || (state->deadline != INT64_MAX && now() > state->deadline);
}

cvv_status cvv_source_failure(const struct source_state *state, char *message)
{
    if (is_cancelled(state)) {
        return cvv_fail(CVV_CANCELLED, message, "was cancelled");
    }
    return cvv_fail(
        CVV_TIMEOUT, message, "sent no frame within %.1f seconds", (double)state->timeout_milliseconds / 1000);
}

int cvv_source_wait(const struct source_state *state)
{
    if (!state->is_device || cvv_source_ended(state)) {
        return 0;
    }
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    return 1;
}

/// FFmpeg asks this while it waits for a network.
static int has_ended(void *state)
{
    return cvv_source_ended(state);
}

static int read_pipe(void *opaque, uint8_t *bytes, int size)
{
    struct source_state *state = opaque;
    size_t left = state->prefix_size - state->prefix_used;
    if (left > 0) {
        size_t count = left < (size_t)size ? left : (size_t)size;
        memcpy(bytes, state->prefix + state->prefix_used, count);
        state->prefix_used += count;
        return (int)count;
    }
    while (!cvv_source_ended(state)) {
        struct pollfd ready = {state->descriptor, POLLIN, 0};
        int code = poll(&ready, 1, POLL_MILLISECONDS);
        if (code == 0 || (code < 0 && errno == EINTR)) {
            continue;
        }
        ssize_t count = code < 0 ? -1 : read(state->descriptor, bytes, (size_t)size);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        return count > 0 ? (int)count : count == 0 ? AVERROR_EOF : AVERROR(errno);
    }
    return AVERROR_EXIT;
}

static cvv_status make_pipe(struct source_state *state, const cvv_source *source, char *message)
{
    state->descriptor = source->descriptor;
    state->prefix = malloc(source->prefix_size + 1);
    uint8_t *buffer = ffmpeg.av_malloc(PIPE_BUFFER);
    if (state->prefix && buffer) {
        if (source->prefix_size > 0) {
            memcpy(state->prefix, source->prefix, source->prefix_size);
        }
        state->prefix_size = source->prefix_size;
        state->pipe = ffmpeg.avio_alloc_context(buffer, PIPE_BUFFER, 0, state, read_pipe, NULL, NULL);
    }
    if (!state->pipe) {
        ffmpeg.av_free(buffer);
        return cvv_fail(CVV_NO_MEMORY, message, "out of memory");
    }
    return CVV_OK;
}

void cvv_source_close(struct source_state *state)
{
    if (state->pipe) {
        // The buffer may have been replaced by a larger one.
        ffmpeg.av_free(state->pipe->buffer);
        ffmpeg.avio_context_free(&state->pipe);
    }
    free(state->prefix);
    state->prefix = NULL;
}

static int set_options(AVDictionary **options, const cvv_source *source)
{
    const struct rules *allowed = &rules[source->kind];
    int code = ffmpeg.av_dict_set(options, "protocol_whitelist", allowed->protocols, 0);
    if (code >= 0) {
        code = ffmpeg.av_dict_set(options, "format_whitelist", allowed->formats, 0);
    }
    if (source->kind == CVV_NETWORK && code >= 0) {
        // One connection, which passes firewalls, and no sound. Certificates are checked: FFmpeg would not.
        code = ffmpeg.av_dict_set(options, "rtsp_transport", "tcp", 0);
        if (code >= 0) {
            code = ffmpeg.av_dict_set(options, "allowed_media_types", "video", 0);
        }
        if (code >= 0) {
            code = ffmpeg.av_dict_set(options, "tls_verify", "1", 0);
        }
    }
    if (source->kind == CVV_DEVICE && source->device_size && code >= 0) {
        code = ffmpeg.av_dict_set(options, "video_size", source->device_size, 0);
    }
    if (source->kind == CVV_DEVICE && source->device_rate && code >= 0) {
        code = ffmpeg.av_dict_set(options, "framerate", source->device_rate, 0);
    }
    return code;
}

/// Sets what the container must have before it is opened.
static cvv_status prepare(
    struct source_state *state, const cvv_source *source, AVFormatContext *container, char *message)
{
    container->interrupt_callback = (AVIOInterruptCB){has_ended, state};
    if (source->kind == CVV_PIPE) {
        cvv_status status = make_pipe(state, source, message);
        container->pb = state->pipe;
        container->flags |= AVFMT_FLAG_CUSTOM_IO;
        return status;
    }
    if (source->kind == CVV_DEVICE) {
        // A camera that sends nothing would block for ever.
        container->flags |= AVFMT_FLAG_NONBLOCK;
    }
    if (source->kind != CVV_FILE && state->timeout_milliseconds > 0) {
        // The search for a live stream's properties must leave time for its first frame.
        int64_t half = state->timeout_milliseconds * (AV_TIME_BASE / 1000) / 2;
        int64_t usual = 5 * AV_TIME_BASE;
        container->max_analyze_duration = half < usual ? half : usual;
    }
    return CVV_OK;
}

cvv_status cvv_source_open(
    struct source_state *state, const cvv_source *source, AVFormatContext **container, char *message)
{
    char words[AV_ERROR_MAX_STRING_SIZE];
    state->is_device = source->kind == CVV_DEVICE;
    state->timeout_milliseconds = source->kind == CVV_FILE ? 0 : source->timeout_milliseconds;
    cvv_source_begin(state);
    cvv_status status = source->kind == CVV_DEVICE ? cvv_load_devices(message) : CVV_OK;
    if (status != CVV_OK) {
        return status;
    }
    const char *prefix = source->kind == CVV_FILE ? "file:" : "";
    const char *name = source->kind == CVV_PIPE ? "" : source->address;
    size_t length = strlen(prefix) + strlen(name) + 1;
    char *address = malloc(length);
    AVDictionary *options = NULL;
    *container = ffmpeg.avformat_alloc_context();
    if (!address || !*container || set_options(&options, source) < 0) {
        status = cvv_fail(CVV_NO_MEMORY, message, "out of memory");
    } else {
        status = prepare(state, source, *container, message);
    }
    if (status != CVV_OK) {
        free(address);
        ffmpeg.av_dict_free(&options);
        ffmpeg.avformat_free_context(*container);
        *container = NULL;
        return status;
    }
    // With "file:" in front, a name such as "http://…" or "concat:…" is a file name like any other.
    snprintf(address, length, "%s%s", prefix, name);
    // FFmpeg 4's function takes a pointer to a format that is not const.
    const AVInputFormat *format = source->kind == CVV_DEVICE ? ffmpeg.av_find_input_format("video4linux2") : NULL;
    int code = ffmpeg.avformat_open_input(container, address, (void *)format, &options);
    ffmpeg.av_dict_free(&options);
    free(address);
    if (code >= 0) {
        return CVV_OK;
    }
    if (cvv_source_ended(state)) {
        return cvv_source_failure(state, message);
    }
    if (code == AVERROR_INVALIDDATA || code == AVERROR(EINVAL) || code == AVERROR_EOF
        || code == AVERROR_DEMUXER_NOT_FOUND) {
        return cvv_fail(
            CVV_NOT_A_VIDEO, message,
            source->kind == CVV_DEVICE ? "is no camera, or has no such size or rate"
                                       : "is not a video, or is cut off before its first frame");
    }
    return cvv_fail(code == AVERROR(ENOMEM) ? CVV_NO_MEMORY : CVV_IO, message, "%s", cvv_words(code, words));
}
