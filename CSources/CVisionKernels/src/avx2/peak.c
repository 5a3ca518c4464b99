/* The peak of arithmetic with AVX2. */
#define PEAK_CHAINS 12
#define PEAK_REGISTER "x"
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "peak_template.h"
#include "variant.h"
