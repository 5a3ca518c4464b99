/* Sizes of the memory that convolutions and products need; the same for all instruction sets. */
#include "groups_layout.h"
#include "winograd_layout.h"

size_t cvk_f32_convolution_packed_count(const cvk_convolution *convolution) {
  int paired = is_paired(convolution), channels = panel_channels(paired);
  size_t panels = ((size_t)convolution->output_channels + (size_t)channels - 1) / (size_t)channels;
  return panels * panel_floats(convolution, paired);
}

size_t cvk_f32_convolution_work_bytes(const cvk_convolution *convolution) {
  if (copies_slices(convolution)) return CVK_SLICE_FLOATS * sizeof(float);
  if (!reads_padding(convolution) && !pairs_need_runs(convolution)) return 0;
  return (size_t)convolution->kernel_height * patch_row_floats(convolution, CVK_TILE_PIXELS) * sizeof(float);
}

int cvk_f32_winograd_suits(const cvk_convolution *convolution) {
  const cvk_convolution *c = convolution;
  int known = c->kernel_height == 3 && c->kernel_width == 3 && c->stride_y == 1 && c->stride_x == 1 &&
              c->dilation_y == 1 && c->dilation_x == 1;
  if (!known) return 0;
  /* Vector operations for all pixels; a transform of a square takes about as many as these products do. */
  double inputs = c->input_channels, panels = (double)winograd_panels(c);
  double squares = (double)squares_of(c), pixels = (double)c->output_width * c->output_height;
  double direct = pixels * 9 * inputs * panels;
  double transforms = squares * (280 * (1 + inputs / CVK_PANEL) + 250 * panels);
  double products = squares * CVK_WINOGRAD_POSITIONS * inputs * panels;
  /* Weights come from the third cache or from memory, once for every few squares; a vector takes the time of so many
   * products, fewer where there are enough of them for the processor to fetch them ahead. */
  double blocks = squares / winograd_squares(c), vectors = CVK_WINOGRAD_POSITIONS * inputs * panels;
  double weights = (blocks < 1 ? 1 : blocks) * vectors * (vectors * CVK_PANEL * sizeof(float) < 4e6 ? 17 : 12);
  return transforms + (products > weights ? products : weights) < 0.8 * direct;
}

size_t cvk_f32_winograd_packed_count(const cvk_convolution *convolution) {
  return winograd_panels(convolution) * CVK_PANEL + CVK_WINOGRAD_POSITIONS * winograd_position_floats(convolution);
}

size_t cvk_f32_winograd_work_bytes(const cvk_convolution *convolution) {
  size_t zeros = (size_t)convolution->input_channels;
  size_t floats = zeros + CVK_WINOGRAD_POSITIONS * (winograd_input_step(convolution) +
                                        winograd_product_step(convolution, CVK_WINOGRAD_PANELS));
  return (floats + CVK_SQUARE * CVK_SQUARE * CVK_WINOGRAD_PANELS * CVK_PANEL) * sizeof(float);
}

int cvk_f32_groups_suit(const cvk_convolution *convolution) {
  const cvk_convolution *c = convolution;
  int group = c->input_channels, most_steps = group < CVK_PANEL ? 2 : 1;
  if (group != 4 && group != 8 && (group % CVK_PANEL != 0 || group > 4 * CVK_PANEL)) return 0;
  return c->kernel_height == 3 && c->kernel_width == 3 && c->stride_x <= most_steps && c->dilation_x == 1 &&
         c->output_channels % group == 0 && c->residual == CVK_RESIDUAL_NONE;
}

size_t cvk_f32_groups_packed_count(const cvk_convolution *convolution) { return groups_at(convolution, INT32_MAX); }

size_t cvk_f32_multiply_work_bytes(int rows, int columns, int inner) {
  size_t panels = ((size_t)columns + CVK_PANEL - 1) / CVK_PANEL;
  size_t packed = panels * ((size_t)inner + 1) * CVK_PANEL;
  return (packed + (size_t)rows * (size_t)inner) * sizeof(float);
}
