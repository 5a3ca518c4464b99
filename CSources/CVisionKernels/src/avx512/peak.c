/* The peak of arithmetic with AVX-512. */
#include "../internal.h"
#if CVK_X86
#include <immintrin.h>

CVK_BEGIN_AVX512

#define PEAK_NAME cvk_f32_peak__avx512
#define PEAK_VECTOR __m512
#define PEAK_LANES 16
#define PEAK_CHAINS 12
#define PEAK_SET _mm512_set1_ps
#define PEAK_MULTIPLY_ADD _mm512_fmadd_ps
#define PEAK_STORE _mm512_storeu_ps
#define PEAK_REGISTER "v"
#include "../peak_template.h"

CVK_END
#endif
