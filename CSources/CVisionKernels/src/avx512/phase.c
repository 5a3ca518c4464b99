/* Phase correlation with AVX-512. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512

#include "lanes.h"

#include "../phase_template.h"

CVK_END
#endif
