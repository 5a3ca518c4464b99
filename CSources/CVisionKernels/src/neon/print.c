/* Distances and products of feature prints with NEON. */
#include "../internal.h"
#if CVK_ARM
#include <arm_neon.h>

#include "lanes.h"

#include "../print_template.h"

void cvk_s8_s16_dots__neon(int32_t *dst, const int8_t *src, ptrdiff_t src_stride, int rows, int columns,
                           const int16_t *query) {
  for (int y = 0; y < rows; y++) {
    const int8_t *row = src + y * src_stride;
    int32x4_t even = vdupq_n_s32(0), odd = even;
    int x = 0;
    for (; x + 16 <= columns; x += 16) {
      const int8x16_t bytes = vld1q_s8(row + x);
      const int16x8_t a = vmovl_s8(vget_low_s8(bytes)), b = vmovl_high_s8(bytes);
      const int16x8_t p = vld1q_s16(query + x), q = vld1q_s16(query + x + 8);
      even = vmlal_s16(even, vget_low_s16(a), vget_low_s16(p)), odd = vmlal_high_s16(odd, a, p);
      even = vmlal_s16(even, vget_low_s16(b), vget_low_s16(q)), odd = vmlal_high_s16(odd, b, q);
    }
    int32_t sum = vaddvq_s32(vaddq_s32(even, odd));
    for (; x < columns; x++) sum += row[x] * query[x];
    dst[y] = sum;
  }
}

#endif
