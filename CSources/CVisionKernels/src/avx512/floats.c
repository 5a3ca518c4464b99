/* Between bytes, half floats and floats: the text is in x86/floats_template.h. */
#define CVK_TEMPLATE "x86/floats_template.h"
#include "variant.h"
