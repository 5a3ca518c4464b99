/* The peak of arithmetic with AVX-512. */
#define PEAK_CHAINS 12
#define PEAK_REGISTER "v"
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "peak_template.h"
#include "variant.h"
