#pragma once

#include "ffmpeg.h"
#include "source.h"

struct conversion {
    struct SwsContext *context;
    AVFrame *frame;
};

struct cvv_reader {
    AVFormatContext *container;
    struct source_state source;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;
    /// Where the frame's own layout cannot be copied from; the memory stays from frame to frame.
    struct conversion to_420, to_bgra;
    int stream;
    int quarter_turns;
    int full_range;
    /// Coded size and layout of the first frame: every other frame must have them too.
    int width, height, format;
    int64_t stated_frames;
    int64_t frames;
    /// Timestamp of the first frame, in units of the stream.
    int64_t first_time;
    /// Bytes that the file lacks by its own account.
    int64_t missing_bytes;
    int64_t damaged;
    int first_is_waiting;
    int draining;
};
