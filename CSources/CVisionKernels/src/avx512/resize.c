/* The passes of resizing: the text is in x86/resize_template.h. */
#define CVK_TEMPLATE "x86/resize_template.h"
#include "variant.h"
