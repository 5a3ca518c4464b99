/* Alignment of planar patches, and corners: see planar_template.h. */
#include "../internal.h"
#if CVK_X86

#include <string.h>

CVK_BEGIN_AVX512

#define CVK_PLANAR(name) name##__avx512
#include "../planar_template.h"

CVK_END

#endif
