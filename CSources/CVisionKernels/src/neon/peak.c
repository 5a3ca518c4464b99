/* The peak of arithmetic with NEON. */
#define PEAK_CHAINS 16
#define PEAK_REGISTER "w"
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "peak_template.h"
#include "variant.h"
