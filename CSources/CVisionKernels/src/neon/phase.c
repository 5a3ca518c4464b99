/* Phase correlation with NEON. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "phase_template.h"
#include "variant.h"
