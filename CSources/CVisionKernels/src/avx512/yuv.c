/* Y'CbCr conversions: the text is in x86/yuv_template.h. */
#define CVK_TEMPLATE "x86/yuv_template.h"
#include "variant.h"
