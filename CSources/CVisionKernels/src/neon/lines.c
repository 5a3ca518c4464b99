/* Edges of straight lines: see lines_template.h. */
#define CVK_TEMPLATE "lines_template.h"
#include "variant.h"
