/* Alignment of planar patches, and corners: see planar_template.h. */
#include "../internal.h"
#if CVK_X86

#include <string.h>

CVK_BEGIN_AVX2

#define CVK_PLANAR(name) name##__avx2
#include "../planar_template.h"

CVK_END

#endif
