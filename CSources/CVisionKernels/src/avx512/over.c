/* Source over destination: the text is in x86/over_template.h. */
#define CVK_TEMPLATE "x86/over_template.h"
#include "variant.h"
