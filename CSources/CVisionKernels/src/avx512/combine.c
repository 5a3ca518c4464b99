/* Weighted sums of two images: the text is in x86/combine_template.h. */
#include "internal.h"

#if CVK_X86

#include <immintrin.h>

CVK_BEGIN_AVX512

#define CVK_VECTOR_BITS 512
#define CVK_SUFFIX avx512
#include "../x86/combine_template.h"

CVK_END

#endif
