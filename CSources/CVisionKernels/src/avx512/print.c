/* Distances and products of feature prints with AVX-512. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "x86/print_template.h"
#include "variant.h"
