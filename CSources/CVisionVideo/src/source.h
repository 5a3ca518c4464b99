// Where the bytes of a video come from, until when they are waited for, and who ends that.
#pragma once

#include "ffmpeg.h"

struct source_state {
    cvv_cancellation *cancellation;
    int64_t timeout_milliseconds;
    /// On the monotonic clock, in milliseconds; INT64_MAX for none.
    int64_t deadline;
    int is_device;
    /// The reader of a pipe; NULL for other sources.
    AVIOContext *pipe;
    int descriptor;
    uint8_t *prefix;
    size_t prefix_size, prefix_used;
};

/// Opens the container of `source`; after a failure there is none. The deadline runs from here.
cvv_status cvv_source_open(
    struct source_state *state, const cvv_source *source, AVFormatContext **container, char *message);

/// Lets the deadline of a frame begin.
void cvv_source_begin(struct source_state *state);

/// Whether the deadline has passed or the reader was cancelled.
int cvv_source_ended(const struct source_state *state);

/// The status and the message of a source that has ended.
cvv_status cvv_source_failure(const struct source_state *state, char *message);

/// Waits for a device that has no frame yet. Returns 0 for other sources, and where it has ended.
int cvv_source_wait(const struct source_state *state);

/// Frees what the source holds. The container must be closed already.
void cvv_source_close(struct source_state *state);
