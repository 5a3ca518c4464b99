/* What moves in a video: see motion_template.h. */
#include "../internal.h"

#include <string.h>

#define VARIANT(name) name##__scalar
#include "../motion_template.h"
