/* Phase correlation: the reference of the other variants. */
#include "../internal.h"

#include "lanes.h"

#include "../phase_template.h"
