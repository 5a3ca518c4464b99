/* Pooling with AVX2. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX2

#include "network_lanes.h"

#include "../pooling_template.h"

CVK_END
#endif
