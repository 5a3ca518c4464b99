/* Alignment of planar patches, and corners: see planar_template.h. */
#include "../internal.h"
#if CVK_ARM

#include <string.h>

#define CVK_PLANAR(name) name##__neon
#include "../planar_template.h"

#endif
