/* Edges of straight lines: see lines_template.h. */
#include "../internal.h"
#if CVK_X86

CVK_BEGIN_AVX2

#define CVK_LINES(name) name##__avx2
#include "../lines_template.h"

CVK_END

#endif
