/* Fourier transforms, one at a time: the reference of the other variants. */
#include "../internal.h"

#include "lanes.h"

#include "../fft_template.h"
