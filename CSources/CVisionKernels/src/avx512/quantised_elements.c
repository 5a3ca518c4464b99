/* Element-wise operations and pooling of 8-bit networks, with AVX-512. */
#include "../internal.h"
#if CVK_X86

CVK_BEGIN_AVX512

#define VARIANT(name) name##__avx512
#include "../quantised_elements_template.h"

CVK_END
#endif
