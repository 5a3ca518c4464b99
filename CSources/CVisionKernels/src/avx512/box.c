/* Means of rows: the text is in x86/box_template.h. */
#define CVK_TEMPLATE "x86/box_template.h"
#include "variant.h"
