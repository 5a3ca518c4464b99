/* Means of rows with NEON. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "box_template.h"
#include "variant.h"
