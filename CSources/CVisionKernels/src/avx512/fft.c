/* Fourier transforms, sixteen at a time. */
#define CVK_LANES "lanes.h"
#define CVK_TEMPLATE "fft_template.h"
#include "variant.h"
