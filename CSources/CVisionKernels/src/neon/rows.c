/* Rows in which codes are looked for: see row_threshold_template.h. */
#define CVK_TEMPLATE "row_threshold_template.h"
#include "variant.h"
