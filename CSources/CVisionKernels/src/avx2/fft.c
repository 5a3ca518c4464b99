/* Fourier transforms, eight at a time. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX2

#include "lanes.h"

#include "../fft_template.h"

CVK_END
#endif
