/* The peak of arithmetic with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#define PEAK_NAME cvk_f32_peak__neon
#define PEAK_VECTOR float32x4_t
#define PEAK_LANES 4
#define PEAK_CHAINS 16
#define PEAK_SET vdupq_n_f32
#define PEAK_MULTIPLY_ADD(a, b, c) vfmaq_f32(c, a, b)
#define PEAK_STORE vst1q_f32
#define PEAK_REGISTER "w"
#include "../peak_template.h"

#endif
