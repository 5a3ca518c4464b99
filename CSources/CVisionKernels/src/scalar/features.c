/* Features of images: see features_template.h. */
#include "../internal.h"

#include <string.h>

#define CVK_FEATURES(name) name##__scalar
#include "../features_template.h"
