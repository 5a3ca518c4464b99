/* What convolutions by Winograd's F(4 x 4, 3 x 3) share: where packed weights and scratch memory lie, and the
 * transforms.
 *
 * The points are 0, 5/8, -5/8, 3/2, -3/2 and infinity: all constants of the transforms of inputs and results are
 * floats, and the errors are half of those with 1 and 2. Squares of 6 x 6 inputs and of 4 x 4 results are transformed
 * along their rows, then along their columns. 36 products of matrices lie between: squares by input channels times
 * these by output channels.
 *
 * Packed weights are the biases, up to a multiple of CVK_PANEL, then for each of the 36 positions the plain panels of a
 * 1 x 1 convolution with a bias of zero. */
#ifndef CVK_WINOGRAD_LAYOUT_H
#define CVK_WINOGRAD_LAYOUT_H

#include "convolution_layout.h"

enum { CVK_SQUARE = 4, CVK_WINOGRAD_POSITIONS = 36, CVK_SQUARES_AT_ONCE = 28, CVK_WINOGRAD_PANELS = 4 };

#define POINT_A 0.625f
#define POINT_B 1.5f
#define SQUARE_A (POINT_A * POINT_A)
#define SQUARE_B (POINT_B * POINT_B)

static inline size_t winograd_panels(const cvk_convolution *c) {
  return ((size_t)c->output_channels + CVK_PANEL - 1) / CVK_PANEL;
}
static inline size_t winograd_panel_floats(const cvk_convolution *c) {
  return (1 + (size_t)c->input_channels) * CVK_PANEL;
}
static inline size_t winograd_position_floats(const cvk_convolution *c) {
  return winograd_panels(c) * winograd_panel_floats(c);
}

static inline int64_t squares_of(const cvk_convolution *c) {
  return (((int64_t)c->output_width + CVK_SQUARE - 1) / CVK_SQUARE) *
         (((int64_t)c->output_height + CVK_SQUARE - 1) / CVK_SQUARE);
}

/* Squares that are processed together: as many as the L2 cache holds the transforms of, in whole tiles if it may be.
 * All weights are read for each such block, so a few squares more are taken where no other block is needed then. */
static inline int winograd_squares(const cvk_convolution *c) {
  size_t one = (size_t)CVK_WINOGRAD_POSITIONS * (size_t)c->input_channels * sizeof(float), room = 512 * 1024;
  size_t count = room / one;
  int64_t all = squares_of(c);
  if (all <= CVK_SQUARES_AT_ONCE && (size_t)all * one <= room + room / 2) return all < 4 ? 4 : (int)all;
  return count >= CVK_SQUARES_AT_ONCE ? CVK_SQUARES_AT_ONCE : count >= 14 ? 14 : count < 4 ? 4 : (int)count;
}

/* Floats from position to position, of transformed inputs and of products; not a multiple of what caches map to one
 * set. */
static inline size_t winograd_input_step(const cvk_convolution *c) {
  return ((size_t)winograd_squares(c) * (size_t)c->input_channels + 15) / 16 * 16 + 16;
}
static inline size_t winograd_product_step(const cvk_convolution *c, int panels) {
  return (size_t)winograd_squares(c) * (size_t)panels * CVK_PANEL + 16;
}

#endif
