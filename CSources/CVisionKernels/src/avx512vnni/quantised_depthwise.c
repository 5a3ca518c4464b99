/* Depthwise convolutions of bytes with AVX-512 VNNI. */
#include "../quantised.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512VNNI

#include "quantised_lanes.h"

#include "../x86/quantised_depthwise_template.h"

CVK_END
#endif
