/* How the packed weights of sparse pointwise convolutions lie, as cells of four bytes, floats and integers:
 *
 *   the bias of each output channel;
 *   for every portion of the input channels and every output channel, where its weights begin, and at last the end;
 *   weights that are not zero, one after the other as input channel within the portion and value.
 *
 * A portion of the inputs of a block of pixels is about as large as the first cache. */
#ifndef CVK_SPARSE_LAYOUT_H
#define CVK_SPARSE_LAYOUT_H

#include <string.h>

#include "convolution_layout.h"

/* A block of pixels is so many vectors at the most, whose sums and a weight are in registers; a vector has at the most
 * sixteen. */
enum { CVK_SPARSE_VECTORS = 7, CVK_SPARSE_PIXELS = CVK_SPARSE_VECTORS * 16 };

/* Input channels of a portion, but for the last: all, where they are few. */
enum { CVK_SPARSE_FEW = 192, CVK_SPARSE_PORTION = 96 };
static inline int sparse_portion(const cvk_convolution *c) {
  return c->input_channels <= CVK_SPARSE_FEW ? c->input_channels : CVK_SPARSE_PORTION;
}
static inline int sparse_portions(const cvk_convolution *c) {
  return (c->input_channels + sparse_portion(c) - 1) / sparse_portion(c);
}

/* Cells in front of the weights. */
static inline size_t sparse_header(const cvk_convolution *c) {
  return (size_t)c->output_channels * (size_t)(1 + sparse_portions(c)) + 1;
}

static inline int32_t sparse_integer(const float *cell) {
  int32_t value;
  memcpy(&value, cell, sizeof value);
  return value;
}

/* Where an output channel's weights of a portion begin, behind the header; for the channel behind the last the end. */
static inline const float *sparse_weights(const float *places, const float *weights, int channel) {
  return weights + 2 * (ptrdiff_t)sparse_integer(places + channel);
}

/* The places of a portion. */
static inline const float *sparse_places(const float *packed, const cvk_convolution *c, int portion) {
  return packed + (size_t)c->output_channels * (size_t)(1 + portion);
}

#endif
