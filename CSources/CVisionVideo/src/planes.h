#pragma once

#include <stddef.h>
#include <stdint.h>

/// Copies a plane, rotated clockwise by quarter turns. `width` and `height` are those of the source; the destination's
/// are swapped for odd numbers of quarter turns. `size` is 1, 2 or 4 bytes a pixel.
void cvv_turn(
    uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, int height, int size,
    int quarter_turns);

/// Joins two planes into one of pairs.
void cvv_interleave(
    uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *first, ptrdiff_t first_stride, const uint8_t *second,
    ptrdiff_t second_stride, int width, int height);
