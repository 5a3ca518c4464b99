/* Colours for the correlation trackers: see tracking_colour_template.h. */
#include "../internal.h"
#if CVK_X86

#include <math.h>
#include <string.h>

CVK_BEGIN_AVX512

#define CVK_TRACK(name) name##__avx512
#include "../tracking_colour_template.h"

CVK_END

#endif
