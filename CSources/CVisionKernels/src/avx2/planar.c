/* Alignment of planar patches, and corners: see planar_template.h. */
#define CVK_TEMPLATE "planar_template.h"
#include "variant.h"
