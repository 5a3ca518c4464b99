/* How packed weights lie, and the sizes that follow from it. The panels come one after the other; each has the bias of
 * its CVK_PANEL channels, then the weights of these channels for every kernel row, column and input channel, the latter
 * the fastest. Channels that a last panel has too many are zero. */
#ifndef CVK_CONVOLUTION_LAYOUT_H
#define CVK_CONVOLUTION_LAYOUT_H

#include "internal.h"

/* Products that make one element of the result. */
static inline size_t terms_of(const cvk_convolution *c) {
  return (size_t)c->kernel_height * (size_t)c->kernel_width * (size_t)c->input_channels;
}

/* Floats from a panel to the next. */
static inline size_t panel_floats(const cvk_convolution *c) { return (terms_of(c) + 1) * CVK_PANEL; }

/* Pixels that a tile of any instruction set has at the most, and the floats of a tile of results. */
enum { CVK_TILE_PIXELS = 14, CVK_TILE_FLOATS = 512 };

/* True where the columns that some result reads are not all in the picture. */
static inline int reads_beside(const cvk_convolution *c) {
  int64_t last = (int64_t)(c->output_width - 1) * c->stride_x - c->pad_left + (int64_t)(c->kernel_width - 1) * c->dilation_x;
  return c->pad_left > 0 || last >= c->input_width;
}

/* The columns of a kernel lie close enough together for a patch of whole rows. */
static inline int patch_has_rows(const cvk_convolution *c) { return c->dilation_x <= 4; }

/* Pixels of one kernel row of a patch: what `pixels` results side by side read. */
static inline size_t patch_row_pixels(const cvk_convolution *c, int pixels) {
  if (!patch_has_rows(c)) return (size_t)pixels * (size_t)c->kernel_width;
  return (size_t)(pixels - 1) * (size_t)c->stride_x + (size_t)(c->kernel_width - 1) * (size_t)c->dilation_x + 1;
}

#endif
