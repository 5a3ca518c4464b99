/* Element-wise functions with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#include "network_lanes.h"

#include "../elementwise_template.h"

#endif
