/* Colour conversions: the text is in x86/colour_template.h. */
#define CVK_TEMPLATE "x86/colour_template.h"
#include "variant.h"
