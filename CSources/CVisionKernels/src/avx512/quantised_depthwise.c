/* Depthwise convolutions of bytes with AVX-512. */
#include "../quantised.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512

#include "quantised_lanes.h"

#include "../x86/quantised_depthwise_template.h"

CVK_END
#endif
