/* Rows in which codes are looked for: the text is in x86/rows_template.h. */
#define CVK_TEMPLATE "x86/rows_template.h"
#include "variant.h"
