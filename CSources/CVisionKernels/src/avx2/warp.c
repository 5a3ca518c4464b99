/* Affine warp: the text is in x86/warp_template.h. */
#include "internal.h"

#if CVK_X86

#include <immintrin.h>

CVK_BEGIN_AVX2

#define CVK_VECTOR_BITS 256
#define CVK_SUFFIX avx2
#include "../x86/warp_template.h"

CVK_END

#endif
