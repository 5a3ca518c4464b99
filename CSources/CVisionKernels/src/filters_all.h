/* Both kinds of image filters. */
#include "filters_template.h"

#include "filter_rows_template.h"
