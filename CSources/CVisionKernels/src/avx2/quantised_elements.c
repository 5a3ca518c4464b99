/* Element-wise operations and pooling of 8-bit networks, with AVX2. */
#include "../internal.h"
#if CVK_X86

CVK_BEGIN_AVX2

#define VARIANT(name) name##__avx2
#include "../quantised_elements_template.h"

CVK_END
#endif
