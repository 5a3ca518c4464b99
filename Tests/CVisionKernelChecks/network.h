/* What the checks of the networks' kernels share. */
#ifndef CVK_CHECK_NETWORK_H
#define CVK_CHECK_NETWORK_H

#include <math.h>
#include <string.h>

#include "check.h"

static inline float *floats(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }

/* Any activation with sensible parameters; PReLU's slopes are a new source of `channels` floats. */
cvk_activation cvk_any_activation(cvk_check *check, int channels);
/* How far variants may be apart that activate values which differ by `absolute`, absolutely (relatively: 4e-7). */
float cvk_activation_bound(const cvk_activation *activation, float absolute);

#endif
