/* Transposes and mirrors: the text is in x86/orientation_template.h. */
#define CVK_TEMPLATE "x86/orientation_template.h"
#include "variant.h"
