/* Features of images: see features_template.h. */
#include "../internal.h"
#if CVK_X86

#include <string.h>

CVK_BEGIN_AVX2

#define CVK_FEATURES(name) name##__avx2
#include "../features_template.h"

CVK_END

#endif
