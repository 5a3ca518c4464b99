/* Weighted sums of two images: the text is in x86/combine_template.h. */
#include "internal.h"

#if CVK_X86

#include <immintrin.h>

CVK_BEGIN_AVX2

#define CVK_VECTOR_BITS 256
#define CVK_SUFFIX avx2
#include "../x86/combine_template.h"

CVK_END

#endif
