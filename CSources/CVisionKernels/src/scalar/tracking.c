/* Features and filters of the correlation trackers: see tracking_template.h. */
#include "../internal.h"

#include <math.h>
#include <string.h>

#define VARIANT(name) name##__scalar
#include "../tracking_template.h"
