/* Element-wise operations and pooling of 8-bit networks, with NEON. */
#include "../internal.h"
#if CVK_ARM

#define VARIANT(name) name##__neon
#include "../quantised_elements_template.h"

#endif
