/* Kernels that prepare images whose borders are followed, written once and compiled for every instruction set: plain
 * loops over the pixels of a row, which compilers turn into vectors. A file of an instruction set defines
 * VARIANT(name), which makes the name of its variant, and includes this. */

void VARIANT(cvk_u8_contour_image)(uint8_t *dst, cvk_contour_totals *totals, const uint8_t *src, ptrdiff_t src_stride,
                                   int width, int height, const uint8_t *lookup) {
  const ptrdiff_t stride = cvk_contour_stride(width);
  /* A table with one step from one value to another is a comparison, which vectors can do. */
  int step = 1;
  while (step < 256 && lookup[step] == lookup[0]) step++;
  int is_step = 1;
  for (int i = step; i < 256; i++) is_step &= step < 256 && lookup[i] == lookup[step];
  const uint8_t low = lookup[0] != 0, change = step < 256 ? low ^ (lookup[step] != 0) : 0;
  const uint8_t last_low = (uint8_t)(step - 1);
  uint64_t across = 0, down = 0;
  memset(dst, 0, (size_t)stride);
  for (int y = 0; y < height; y++) {
    const uint8_t *restrict from = src + y * src_stride;
    uint8_t *restrict row = dst + (y + 1) * stride;
    const uint8_t *restrict above = row - stride;
    row[0] = 0;
    if (is_step || step == 256)
      for (int x = 0; x < width; x++) row[x + 1] = low ^ (uint8_t)(change & (from[x] > last_low));
    else
      for (int x = 0; x < width; x++) row[x + 1] = lookup[from[x]] != 0;
    memset(row + width + 1, 0, (size_t)(stride - width - 1));
    uint32_t sideways = 0, upwards = 0;
    for (int x = 0; x <= width; x++) sideways += row[x] ^ row[x + 1];
    for (int x = 1; x <= width; x++) upwards += row[x] ^ above[x];
    across += sideways, down += upwards;
  }
  uint8_t *bottom = dst + (height + 1) * stride;
  memset(bottom, 0, (size_t)stride);
  uint32_t upwards = 0;
  for (int x = 1; x <= width; x++) upwards += (bottom - stride)[x];
  totals->points = across + down + upwards;
  totals->contours = across; /* each starts where a run of pixels begins or ends */
}
