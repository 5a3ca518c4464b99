/* Edges of straight lines: see lines_template.h. */
#include "../internal.h"
#if CVK_X86

CVK_BEGIN_AVX512

#define CVK_LINES(name) name##__avx512
#include "../lines_template.h"

CVK_END

#endif
