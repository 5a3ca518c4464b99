/* Distances and products of feature prints with AVX-512. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512

#include "lanes.h"

#include "../print_template.h"

#define PRINT_BITS 512
#include "../x86/print_template.h"

CVK_END
#endif
