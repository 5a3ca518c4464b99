/* The peak of arithmetic, one number at a time. */
#include "../internal.h"

#define PEAK_NAME cvk_f32_peak__scalar
#define PEAK_VECTOR float
#define PEAK_LANES 1
#define PEAK_CHAINS 12
#define PEAK_SET(number) (number)
#define PEAK_MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define PEAK_STORE(address, vector) (*(address) = (vector))
#if CVK_X86
#define PEAK_REGISTER "x"
#elif CVK_ARM
#define PEAK_REGISTER "w"
#else
#define PEAK_REGISTER "m"
#endif
#include "../peak_template.h"
