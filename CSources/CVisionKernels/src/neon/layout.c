/* Transposing, filling and half precision with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#include "network_lanes.h"

#include "../layout_template.h"

#endif
