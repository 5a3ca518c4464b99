/* Element-wise operations and pooling of 8-bit networks: the reference of the other variants. */
#include "../internal.h"

#define VARIANT(name) name##__scalar
#include "../quantised_elements_template.h"

void cvk_u8_lookup__scalar(uint8_t *dst, const uint8_t *src, size_t count, const uint8_t *table) {
  for (size_t i = 0; i < count; i++) dst[i] = table[src[i]];
}
