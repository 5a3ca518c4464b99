/* Optical flow: see flow_template.h. */
#define CVK_TEMPLATE "flow_template.h"
#include "variant.h"
