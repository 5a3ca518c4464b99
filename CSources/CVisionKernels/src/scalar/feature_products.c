/* Products of descriptions of features: the reference. */
#include "../internal.h"

enum { BYTES = CVK_FEATURE_BYTES, GROUP = CVK_FEATURE_GROUP };

void cvk_u8_feature_products__scalar(int32_t *dst, ptrdiff_t dst_stride, const uint8_t *queries, int count,
                                     const uint8_t *packed, int groups) {
  for (int q = 0; q < count; q++) {
    int32_t *to = (int32_t *)(void *)((char *)dst + q * dst_stride);
    const uint8_t *query = queries + q * BYTES;
    for (int g = 0; g < groups; g++) {
      const uint8_t *group = packed + (ptrdiff_t)g * BYTES * GROUP;
      int32_t sums[GROUP] = {0};
      for (int four = 0; four < BYTES / 4; four++)
        for (int i = 0; i < GROUP; i++)
          for (int k = 0; k < 4; k++) sums[i] += query[4 * four + k] * group[(four * GROUP + i) * 4 + k];
      for (int i = 0; i < GROUP; i++) to[g * GROUP + i] = sums[i];
    }
  }
}
