/* How the packed weights of convolutions in groups lie: panels of CVK_PANEL output channels, each with its biases, then
 * for every kernel row and input channel of a group the weights of the row's columns. */
#ifndef CVK_GROUPS_LAYOUT_H
#define CVK_GROUPS_LAYOUT_H

#include "internal.h"

enum { CVK_GROUPS_KERNEL = 3 };

/* Floats of a panel. */
static inline size_t groups_panel(const cvk_convolution *c) {
  return CVK_PANEL * (1 + CVK_GROUPS_KERNEL * CVK_GROUPS_KERNEL * (size_t)c->input_channels);
}

/* Where an output channel's panel begins; the end for those beyond the last. */
static inline size_t groups_at(const cvk_convolution *c, int channel) {
  int panels = (c->output_channels + CVK_PANEL - 1) / CVK_PANEL, panel = channel / CVK_PANEL;
  return (size_t)(panel < panels ? panel : panels) * groups_panel(c);
}

#endif
