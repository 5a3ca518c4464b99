/* What moves in a video: see motion_template.h. */
#define CVK_TEMPLATE "motion_template.h"
#include "variant.h"
