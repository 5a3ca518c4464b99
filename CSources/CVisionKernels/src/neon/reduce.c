/* Reductions with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#include "network_lanes.h"

#include "../reduce_template.h"

#endif
