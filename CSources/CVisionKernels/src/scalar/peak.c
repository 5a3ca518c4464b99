/* The peak of arithmetic, one number at a time. */
#include "../internal.h"

#include "lanes.h"

#define PEAK_CHAINS 12
#if CVK_X86
#define PEAK_REGISTER "x"
#elif CVK_ARM
#define PEAK_REGISTER "w"
#else
#define PEAK_REGISTER "m"
#endif
#include "../peak_template.h"
