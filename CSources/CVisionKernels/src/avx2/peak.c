/* The peak of arithmetic with AVX2. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX2

#define PEAK_NAME cvk_f32_peak__avx2
#define PEAK_VECTOR __m256
#define PEAK_LANES 8
#define PEAK_CHAINS 12
#define PEAK_SET _mm256_set1_ps
#define PEAK_MULTIPLY_ADD _mm256_fmadd_ps
#define PEAK_STORE _mm256_storeu_ps
#define PEAK_REGISTER "x"
#include "../peak_template.h"

CVK_END
#endif
