#pragma once

#include <stdint.h>

/// How many bytes a video lacks by the account of its own container: 0 when it is whole, when the container does not
/// say (it was streamed, or recording never ended properly), or when the container is one that is not examined.
///
/// FFmpeg reads a video that was cut off up to the cut and calls that its end. Counting frames does not help: empty
/// frames that repeat the one before, and those that an edit list leaves out, are stated but never come.
int64_t cvv_missing_bytes(const char *path);
