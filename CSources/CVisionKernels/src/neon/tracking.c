/* Features and filters of the correlation trackers: see tracking_template.h. */
#define CVK_TEMPLATE "tracking_template.h"
#include "variant.h"
