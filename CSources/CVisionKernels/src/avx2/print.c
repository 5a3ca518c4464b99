/* Distances and products of feature prints with AVX2. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "x86/print_template.h"
#include "variant.h"
