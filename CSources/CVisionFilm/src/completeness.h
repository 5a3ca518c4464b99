#pragma once

#include <stdint.h>

/// How many bytes a film lacks by the account of its own container: 0 when it is whole, when the container does not
/// say (it was streamed, or recording never ended properly), or when it is one that is not looked into.
///
/// FFmpeg reads a film that was cut off up to the cut and calls that its end. Counting frames does not help: empty
/// frames that repeat the one before, and those that an edit list leaves out, are stated but never come.
int64_t cvf_missing_bytes(const char *path);
