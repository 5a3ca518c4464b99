/* Compiles CVK_TEMPLATE for AVX2, with the vectors of CVK_LANES if that is defined. */
#include <math.h>
#include <string.h>

#include "internal.h"

#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX2

#define CVK_VECTOR_BITS 256
#ifdef CVK_LANES
#include CVK_LANES
#else
#define VARIANT(name) name##__avx2
#endif
#include CVK_TEMPLATE

CVK_END
#endif
