/* Colours for the correlation trackers: see tracking_colour_template.h. */
#include "../internal.h"
#if CVK_X86

#include <math.h>
#include <string.h>

CVK_BEGIN_AVX2

#define CVK_TRACK(name) name##__avx2
#include "../tracking_colour_template.h"

CVK_END

#endif
