/* Distances and products of feature prints with AVX2. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX2

#include "lanes.h"

#include "../print_template.h"

#define PRINT_BITS 256
#include "../x86/print_template.h"

CVK_END
#endif
