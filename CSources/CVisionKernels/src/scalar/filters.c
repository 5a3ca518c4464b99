/* Image filters, one value at a time: the reference of the other variants. */
#include <string.h>

#include "../internal.h"

#include "lanes.h"

#include "../filters_all.h"
