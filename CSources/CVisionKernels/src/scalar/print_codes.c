/* Estimates from codes of four bits: the reference of the other variants. */
#include "../internal.h"

enum { BLOCK = 32 };

void cvk_u4_table_estimates__scalar(float *dst, const uint8_t *codes, int blocks, int tables, const uint8_t *entries,
                                    const float *offsets, const float *factors, float scale, float bias) {
  for (int b = 0; b < blocks; b++) {
    const uint8_t *block = codes + (ptrdiff_t)b * tables / 2 * BLOCK;
    for (int j = 0; j < BLOCK; j++) {
      uint16_t sum = 0;
      for (int p = 0; p < tables / 2; p++) {
        const uint8_t byte = block[p * BLOCK + j];
        sum = (uint16_t)(sum + entries[32 * p + (byte & 15)] + entries[32 * p + 16 + (byte >> 4)]);
      }
      const ptrdiff_t i = (ptrdiff_t)b * BLOCK + j;
      dst[i] = offsets[i] + factors[i] * (scale * (float)sum + bias);
    }
  }
}
