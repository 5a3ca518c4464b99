/* Features of images: see features_template.h. */
#include "../internal.h"
#if CVK_ARM

#include <string.h>

#define CVK_FEATURES(name) name##__neon
#include "../features_template.h"

#endif
