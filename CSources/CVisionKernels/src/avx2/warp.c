/* Affine warp: the text is in x86/warp_template.h. */
#define CVK_TEMPLATE "x86/warp_template.h"
#include "variant.h"
