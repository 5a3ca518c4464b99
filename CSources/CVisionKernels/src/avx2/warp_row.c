/* A row of a projective warp: the text is in x86/warp_row_template.h. */
#define CVK_TEMPLATE "x86/warp_row_template.h"
#include "variant.h"
