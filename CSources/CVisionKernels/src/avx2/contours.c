/* Borders of regions: see contours_template.h. */
#define CVK_TEMPLATE "contours_template.h"
#include "variant.h"
