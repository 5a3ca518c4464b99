/* Fourier transforms, four at a time. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#include "lanes.h"

#include "../fft_template.h"

#endif
