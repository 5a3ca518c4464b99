#include "planes.h"

#include <string.h>

// A rotation reads the source row by row; rotations differ in where a row lands and how far apart its pixels are.
#define ROTATE(TYPE) \
    for (int y = 0; y < height; y++) {                                                                                 \
        const uint8_t *from = src + y * src_stride;                                                                    \
        uint8_t *to = start + y * row_step;                                                                            \
        for (int x = 0; x < width; x++) {                                                                              \
            TYPE pixel;                                                                                                \
            memcpy(&pixel, from + x * (ptrdiff_t)sizeof(TYPE), sizeof(TYPE));                                          \
            memcpy(to + x * pixel_step, &pixel, sizeof(TYPE));                                                         \
        }                                                                                                              \
    }

void cvv_turn(
    uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, int height, int size,
    int quarter_turns)
{
    if (quarter_turns == 0) {
        for (int y = 0; y < height; y++) {
            memcpy(dst + y * dst_stride, src + y * src_stride, (size_t)width * (size_t)size);
        }
        return;
    }
    uint8_t *start;
    ptrdiff_t row_step, pixel_step;
    switch (quarter_turns) {
    case 1: // the first row becomes the last column
        start = dst + (ptrdiff_t)(height - 1) * size;
        row_step = -size;
        pixel_step = dst_stride;
        break;
    case 2:
        start = dst + (height - 1) * dst_stride + (ptrdiff_t)(width - 1) * size;
        row_step = -dst_stride;
        pixel_step = -size;
        break;
    default: // the first row becomes the first column, upwards
        start = dst + (width - 1) * dst_stride;
        row_step = size;
        pixel_step = -dst_stride;
        break;
    }
    switch (size) {
    case 1: ROTATE(uint8_t) break;
    case 2: ROTATE(uint16_t) break;
    default: ROTATE(uint32_t) break;
    }
}

void cvv_interleave(
    uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *first, ptrdiff_t first_stride, const uint8_t *second,
    ptrdiff_t second_stride, int width, int height)
{
    for (int y = 0; y < height; y++) {
        uint8_t *restrict to = dst + y * dst_stride;
        const uint8_t *restrict a = first + y * first_stride;
        const uint8_t *restrict b = second + y * second_stride;
        for (int x = 0; x < width; x++) {
            to[2 * x] = a[x];
            to[2 * x + 1] = b[x];
        }
    }
}
