/* Compiles CVK_TEMPLATE for AVX-512 VNNI, with the vectors of CVK_LANES if that is defined. */
#include <math.h>
#include <string.h>

#include "internal.h"

#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512VNNI

#define CVK_VECTOR_BITS 512
#ifdef CVK_LANES
#include CVK_LANES
#else
#define VARIANT(name) name##__avx512vnni
#endif
#include CVK_TEMPLATE

CVK_END
#endif
