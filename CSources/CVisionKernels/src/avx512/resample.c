/* Resizing with tables of taps with AVX-512. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512

#include "network_lanes.h"

#include "../resample_template.h"

CVK_END
#endif
