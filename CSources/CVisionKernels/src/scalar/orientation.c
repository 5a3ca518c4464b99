/* Transposes, mirrors and copies, the reference. */
#include <string.h>

#include "internal.h"

/* In squares, so that the source's cache lines are used while they are there. */
static inline void transpose(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                             int height, int bytes) {
  enum { SIDE = 32 };
  for (int top = 0; top < height; top += SIDE)
    for (int left = 0; left < width; left += SIDE)
      for (int y = top; y < height && y < top + SIDE; y++)
        for (int x = left; x < width && x < left + SIDE; x++)
          memcpy(dst + y * dst_stride + (ptrdiff_t)x * bytes, src + x * src_stride + (ptrdiff_t)y * bytes,
                 (size_t)bytes);
}

static inline void mirror(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                          int height, int bytes) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      memcpy(dst + y * dst_stride + (ptrdiff_t)x * bytes, src + y * src_stride + (ptrdiff_t)(width - 1 - x) * bytes,
             (size_t)bytes);
}

#define BOTH(name, bytes) \
  void cvk_##name##_transpose__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, \
                                      int width, int height) { \
    transpose(dst, dst_stride, src, src_stride, width, height, bytes); \
  } \
  void cvk_##name##_mirror__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, \
                                   int width, int height) { \
    mirror(dst, dst_stride, src, src_stride, width, height, bytes); \
  }

BOTH(b1, 1)
BOTH(b3, 3)
BOTH(b4, 4)

void cvk_b1_copy__scalar(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height) {
  for (int y = 0; y < height; y++) memcpy(dst + y * dst_stride, src + y * src_stride, (size_t)width);
}
