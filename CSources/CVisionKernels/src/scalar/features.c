/* Features of images: see features_template.h. */
#include "../internal.h"

#include <string.h>

#define VARIANT(name) name##__scalar
#include "../features_template.h"
