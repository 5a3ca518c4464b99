/* Shared by the checks of the networks' kernels. */
#ifndef CVK_CHECK_NETWORK_H
#define CVK_CHECK_NETWORK_H

#include <math.h>
#include <string.h>

#include "check.h"

static inline float *floats(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }

/* Marks a result, so that what is not written shows. */
static inline void fill(cvk_buffer buffer) {
  for (int y = 0; y < buffer.rows; y++) memset(buffer.bytes + y * buffer.stride, 0x11, (size_t)buffer.row_bytes);
}

/* A random activation with realistic parameters; PReLU's slopes are a new source of `channels` floats. */
cvk_activation cvk_any_activation(cvk_check *check, int channels);
/* The absolute bound for activations of values that differ by `absolute` (the relative one is 4e-7). */
float cvk_activation_bound(const cvk_activation *activation, float absolute);

#endif
