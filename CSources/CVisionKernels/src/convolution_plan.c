/* Sizes of the memory that convolutions and products need; the same for all instruction sets. */
#include "convolution_layout.h"

size_t cvk_f32_convolution_packed_count(const cvk_convolution *convolution) {
  int paired = is_paired(convolution), channels = panel_channels(paired);
  size_t panels = ((size_t)convolution->output_channels + (size_t)channels - 1) / (size_t)channels;
  return panels * panel_floats(convolution, paired);
}

size_t cvk_f32_convolution_work_bytes(const cvk_convolution *convolution) {
  size_t floats = CVK_TILE_FLOATS;
  if (reads_beside(convolution) || pairs_need_runs(convolution))
    floats += (size_t)convolution->kernel_height * patch_row_floats(convolution, CVK_TILE_PIXELS);
  return floats * sizeof(float);
}

size_t cvk_f32_multiply_work_bytes(int rows, int columns, int inner) {
  size_t panels = ((size_t)columns + CVK_PANEL - 1) / CVK_PANEL;
  size_t packed = panels * ((size_t)inner + 1) * CVK_PANEL;
  return (packed + (size_t)rows * (size_t)inner + CVK_TILE_FLOATS) * sizeof(float);
}
