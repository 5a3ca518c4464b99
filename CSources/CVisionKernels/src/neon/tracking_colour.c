/* Colours for the correlation trackers: see tracking_colour_template.h. */
#include "../internal.h"
#if CVK_ARM

#include <math.h>
#include <string.h>

#define CVK_TRACK(name) name##__neon
#include "../tracking_colour_template.h"

#endif
