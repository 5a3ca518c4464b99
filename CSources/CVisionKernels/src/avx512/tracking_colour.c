/* Colours for the correlation trackers: see tracking_colour_template.h. */
#define CVK_TEMPLATE "tracking_colour_template.h"
#include "variant.h"
