/* Weighted sums of two images: the text is in x86/combine_template.h. */
#define CVK_TEMPLATE "x86/combine_template.h"
#include "variant.h"
