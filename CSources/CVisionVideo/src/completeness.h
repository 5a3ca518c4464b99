#pragma once

#include <stdint.h>

/// The number of bytes that a video lacks according to its container: 0 when it is complete, when the container does
/// not state it (it was streamed, or recording never ended properly), or when the container is one that is not
/// examined.
///
/// FFmpeg reads a video that was cut off up to the cut and calls that its end. Counting frames does not help: empty
/// frames that repeat the one before, and those that an edit list leaves out, are stated but never come.
int64_t cvv_missing_bytes(const char *path);
