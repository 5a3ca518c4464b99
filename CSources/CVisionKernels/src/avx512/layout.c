/* Transposing, filling and half precision with AVX-512. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512

#include "network_lanes.h"

#include "../layout_template.h"

CVK_END
#endif
