/* How depthwise weights lie in their blocks, for packing and for the kernels that read them. */
#ifndef CVK_SRC_QUANTISED_H
#define CVK_SRC_QUANTISED_H

#include "internal.h"

/* The position of channel c of a block of 64 among the 64 numbers of a vector in the block: bytes of four rows that are
 * interleaved within the quarters of a register come out in this order. */
static inline int cvk_q8_lane(int c) { return (c >> 2 & 3) * 16 + (c >> 4) * 4 + (c & 3); }

/* A last row that would be alone in its group of four is taken across its columns instead. */
static inline int cvk_q8_is_across(const cvk_q8_depthwise *g) {
  return g->kernel_height % 4 == 1 && g->kernel_width >= 4 && g->dilation_x == 1;
}

/* Groups of rows that are taken down the columns. */
static inline int cvk_q8_planes_down(const cvk_q8_depthwise *g) {
  return g->kernel_height / 4 + (g->kernel_height % 4 && !cvk_q8_is_across(g));
}

/* The first column of group t of the row that is taken across: the last group ends at the kernel's end, and its weights
 * that an earlier group has already are zero. */
static inline int cvk_q8_across_column(const cvk_q8_depthwise *g, int t) {
  return 4 * t + 4 <= g->kernel_width ? 4 * t : g->kernel_width - 4;
}

/* Which of a channel's groups of four, and which byte in it, the weight of column x and row y has. */
static inline int cvk_q8_slot(const cvk_q8_depthwise *g, int x, int y) {
  if (cvk_q8_is_across(g) && y == g->kernel_height - 1) {
    int t = x / 4;
    return (g->kernel_height / 4 * g->kernel_width + t) * 4 + x - cvk_q8_across_column(g, t);
  }
  return (y / 4 * g->kernel_width + x) * 4 + y % 4;
}

#endif
