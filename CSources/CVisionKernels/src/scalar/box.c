/* Means of rows, a pixel at a time: the reference of the other variants. */
#include "../internal.h"

#include "lanes.h"

#include "../box_template.h"
