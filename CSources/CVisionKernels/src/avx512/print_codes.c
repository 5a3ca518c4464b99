/* Estimates from codes of four bits with AVX-512. */
#define CVK_TEMPLATE "x86/print_codes_template.h"
#include "variant.h"
