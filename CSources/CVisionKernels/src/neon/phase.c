/* Phase correlation with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#include "lanes.h"

#include "../phase_template.h"

#endif
