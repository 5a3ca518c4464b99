/* Resizing with tables of taps with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#include "network_lanes.h"

#include "../resample_template.h"

#endif
