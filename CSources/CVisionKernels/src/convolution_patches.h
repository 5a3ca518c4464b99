/* Copies of what a convolution reads: of a tile's pixels where some of them are padding, of rows of a slice. Over
 * convolution_layout.h and the vectors of network_lanes.h. */

/* Copies `count` pixels, `step` bytes apart, side by side. */
inline_always void copy_pixels_of(float *to, const float *from, ptrdiff_t step, int count, const int channels) {
  for (int i = 0; i < count; i++) memcpy(to + (size_t)i * channels, OFFSET(const float, from, i * step), channels * 4);
}
static void copy_pixels(float *to, const float *from, ptrdiff_t step, int count, int channels) {
  /* A call for so little would take longer than the copy. */
  switch (channels) {
  case 4: copy_pixels_of(to, from, step, count, 4); break;
  case 8: copy_pixels_of(to, from, step, count, 8); break;
  case 16: copy_pixels_of(to, from, step, count, 16); break;
  case 24: copy_pixels_of(to, from, step, count, 24); break;
  default: copy_pixels_of(to, from, step, count, channels);
  }
}

/* Copies `count` pixels of a row of the image, from column `x` on and `step` columns apart, side by side; zeros
 * outside the image. */
static float *fill_pixels(float *patch, const float *row, const cvk_convolution *c, int64_t x, int step, int count) {
  size_t channels = (size_t)c->input_channels;
  int before = 0, inside = 0;
  while (before < count && x + (int64_t)before * step < 0) before++;
  while (before + inside < count && x + (int64_t)(before + inside) * step < c->input_width) inside++;
  memset(patch, 0, (size_t)before * channels * sizeof(float));
  patch += (size_t)before * channels;
  if (inside > 0 && step == 1 && c->src_pixel == (ptrdiff_t)(channels * sizeof(float))) {
    memcpy(patch, OFFSET(const float, row, (x + before) * c->src_pixel), (size_t)inside * channels * sizeof(float));
    patch += (size_t)inside * channels;
  } else {
    copy_pixels(patch, OFFSET(const float, row, (x + (int64_t)before * step) * c->src_pixel), step * c->src_pixel,
                inside, c->input_channels);
    patch += (size_t)inside * channels;
  }
  memset(patch, 0, (size_t)(count - before - inside) * channels * sizeof(float));
  return patch + (size_t)(count - before - inside) * channels;
}

/* Copies what `pixels` results read, from row y and column x of the image on. */
static void fill_patch(float *patch, const float *src, const cvk_convolution *c, int64_t y, int64_t x, int ky0, int ky1,
                       int pixels) {
  for (int ky = ky0; ky < ky1; ky++) {
    const float *row = OFFSET(const float, src, (y + (int64_t)ky * c->dilation_y) * c->src_row);
    if (patch_has_rows(c)) {
      patch = fill_pixels(patch, row, c, x, 1, (pixels - 1) * c->stride_x + c->kernel_width);
      continue;
    }
    for (int i = 0; i < pixels; i++)
      patch = fill_pixels(patch, row, c, x + (int64_t)i * c->stride_x, c->dilation_x, c->kernel_width);
  }
}
