/* How packed weights lie, and the sizes that follow from it. Only channels and the kernel's size decide.
 *
 * Panels come one after the other. Each starts with the bias of its channels; then, for every kernel row, come the
 * weights of its columns and input channels, the latter the fastest, CVK_PANEL floats a step.
 *
 * A plain panel has CVK_PANEL channels, and a step is one input channel of one column. Where the last panel would be
 * half empty or more and the others are few, panels are paired: they have half as many channels, and a step is two
 * input channels (of a row of the kernel, all columns one after the other), side by side for each output channel. Sums
 * then run over every other product, two of them for an element, and nothing is wasted on channels that are not there.
 * The second bias of a pair is zero, as is the weight beyond the end of a row. */
#ifndef CVK_CONVOLUTION_LAYOUT_H
#define CVK_CONVOLUTION_LAYOUT_H

#include "internal.h"

#define OFFSET(type, pointer, bytes) ((type *)((char *)(uintptr_t)(pointer) + (bytes)))

enum { CVK_PAIRED_CHANNELS = CVK_PANEL / 2 };

/* Floats of a kernel row: the products of one element. */
static inline size_t row_length(const cvk_convolution *c) {
  return (size_t)c->kernel_width * (size_t)c->input_channels;
}

static inline int is_paired(const cvk_convolution *c) {
  int rest = c->output_channels % CVK_PANEL;
  return rest > 0 && rest <= CVK_PAIRED_CHANNELS && c->output_channels <= 8 * CVK_PANEL &&
         row_length(c) * (size_t)c->kernel_height >= 8;
}

static inline int panel_channels(int paired) { return paired ? CVK_PAIRED_CHANNELS : CVK_PANEL; }

/* Floats of a kernel row in a panel, and from a panel to the next. */
static inline size_t panel_row_floats(const cvk_convolution *c, int paired) {
  return (paired ? (row_length(c) + 1) / 2 : row_length(c)) * CVK_PANEL;
}
static inline size_t panel_floats(const cvk_convolution *c, int paired) {
  return CVK_PANEL + (size_t)c->kernel_height * panel_row_floats(c, paired);
}

/* Where the weight of an output channel of a panel and of element k of a kernel row is. */
static inline size_t place_of(const cvk_convolution *c, int paired, int channel, int ky, int k) {
  size_t row = CVK_PANEL + (size_t)ky * panel_row_floats(c, paired);
  return paired ? row + (size_t)(k / 2 * CVK_PANEL + channel * 2 + k % 2) : row + (size_t)(k * CVK_PANEL + channel);
}

/* Pixels that a tile of any instruction set has at the most. */
enum { CVK_TILE_PIXELS = 14 };

/* True where the columns that some result reads are not all in the image. */
static inline int reads_padding(const cvk_convolution *c) {
  int64_t first = (int64_t)(c->output_width - 1) * c->stride_x - c->pad_left;
  int64_t last = first + (int64_t)(c->kernel_width - 1) * c->dilation_x;
  return c->pad_left > 0 || last >= c->input_width;
}

/* True where a row of the kernel reads floats that follow each other. */
static inline int rows_are_runs(const cvk_convolution *c) {
  return c->kernel_width == 1 || (c->dilation_x == 1 && c->src_pixel == (ptrdiff_t)sizeof(float) * c->input_channels);
}

/* Pairs must not straddle two runs. */
static inline int pairs_need_runs(const cvk_convolution *c) {
  return is_paired(c) && c->kernel_width > 1 && c->input_channels % 2 == 1;
}

/* A patch is a copy of what a tile reads, where a row of the kernel is a run: rows of the image, or, where the
 * kernel's columns are apart, those columns for every pixel. These are the floats for one kernel row and `pixels`
 * pixels. */
static inline int patch_has_rows(const cvk_convolution *c) { return c->dilation_x == 1; }
static inline size_t patch_row_floats(const cvk_convolution *c, int pixels) {
  if (!patch_has_rows(c)) return (size_t)pixels * row_length(c);
  return ((size_t)(pixels - 1) * (size_t)c->stride_x + (size_t)c->kernel_width) * (size_t)c->input_channels;
}

/* A slice of an image's channels has pixels that lie apart: every tile at the image's edge would be a patch of its own,
 * a large part of the work where a slice is narrow. So what a few rows of the result read is copied side by side, with
 * zeros around, and these rows read no padding. The rows of the copy are bounded: such as fit into the first cache. */
enum { CVK_SLICE_FLOATS = 6 * 1024 };

static inline int64_t slice_row_floats(const cvk_convolution *c) {
  return ((int64_t)(c->output_width - 1) * c->stride_x + c->kernel_width) * c->input_channels;
}

/* Rows of the image that the rows of one output row span. */
static inline int64_t slice_window(const cvk_convolution *c) {
  return (int64_t)(c->kernel_height - 1) * c->dilation_y + 1;
}

/* True where slices are copied. */
static inline int copies_slices(const cvk_convolution *c) {
  return c->kernel_width > 1 && c->dilation_x == 1 && !rows_are_runs(c) && reads_padding(c) &&
         slice_window(c) <= CVK_SLICE_FLOATS && slice_row_floats(c) * slice_window(c) <= CVK_SLICE_FLOATS;
}

#endif
