/* Compiles CVK_TEMPLATE for NEON, with the vectors of CVK_LANES if that is defined. */
#include <math.h>
#include <string.h>

#include "internal.h"

#if CVK_ARM
#include <arm_neon.h>

#ifdef CVK_LANES
#include CVK_LANES
#else
#define VARIANT(name) name##__neon
#endif
#include CVK_TEMPLATE
#endif
