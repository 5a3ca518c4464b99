/* Features of images: see features_template.h. */
#define CVK_TEMPLATE "features_template.h"
#include "variant.h"
