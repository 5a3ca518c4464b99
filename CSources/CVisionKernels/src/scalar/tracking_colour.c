/* Colours for the correlation trackers: see tracking_colour_template.h. */
#include "../internal.h"

#include <math.h>
#include <string.h>

#define VARIANT(name) name##__scalar
#include "../tracking_colour_template.h"
