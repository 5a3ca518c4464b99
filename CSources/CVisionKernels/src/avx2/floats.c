/* Between bytes, half floats and floats: the text is in x86/floats_template.h. */
#include "internal.h"

#if CVK_X86

#include <immintrin.h>

CVK_BEGIN_AVX2

#define CVK_VECTOR_BITS 256
#define CVK_SUFFIX avx2
#include "../x86/floats_template.h"

CVK_END

#endif
