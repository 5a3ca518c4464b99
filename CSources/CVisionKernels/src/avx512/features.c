/* Features of images: see features_template.h. */
#include "../internal.h"
#if CVK_X86

#include <string.h>

CVK_BEGIN_AVX512

#define CVK_FEATURES(name) name##__avx512
#include "../features_template.h"

CVK_END

#endif
