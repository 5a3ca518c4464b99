/* Depthwise convolution with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#include "network_lanes.h"

#include "../depthwise_template.h"

#endif
