/* Optical flow: see flow_template.h. */
#include "../internal.h"

#include <string.h>

#define VARIANT(name) name##__scalar
#include "../flow_template.h"
