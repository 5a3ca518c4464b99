/* Filters along rows, over the vectors of lanes.h. Include after filters_template.h or its beginning. */

/* Pixels of several cache lines share the weights. */
enum { ROW_BLOCKS = 8 };

void VARIANT(cvk_f32_filter_row_c4)(float *dst, const float *src, int width, const float *weights, int taps) {
  const int values = 4 * width;
  int x = 0;
  for (; x + ROW_BLOCKS * LANES <= values; x += ROW_BLOCKS * LANES) {
    vf sum[ROW_BLOCKS];
    for (int b = 0; b < ROW_BLOCKS; b++) sum[b] = SPLAT(0.0f);
    const float *in = src + x;
    for (int k = 0; k < taps; k++, in += 4) {
      const vf weight = SPLAT(weights[k]);
      for (int b = 0; b < ROW_BLOCKS; b++) sum[b] = FMA(load(in + b * LANES), weight, sum[b]);
    }
    for (int b = 0; b < ROW_BLOCKS; b++) store(dst + x + b * LANES, sum[b]);
  }
  for (; x < values; x += LANES) {
    const int count = values - x < LANES ? values - x : LANES;
    vf sum = SPLAT(0.0f);
    for (int k = 0; k < taps; k++)
      sum = FMA(count < LANES ? load_part(src + x + 4 * k, count) : load(src + x + 4 * k), SPLAT(weights[k]), sum);
    if (count < LANES) store_part(dst + x, sum, count);
    else store(dst + x, sum);
  }
}

void VARIANT(cvk_f32_resize_row_c4)(float *dst, const float *src, int width, const int32_t *firsts,
                                    const float *weights, int taps) {
  for (int x = 0; x < width; x++, weights += taps) {
    const float *in = src + 4 * (ptrdiff_t)firsts[x];
    pixel4 sum = {0, 0, 0, 0};
    for (int k = 0; k < taps; k++, in += 4) {
      const pixel4 weight = {weights[k], weights[k], weights[k], weights[k]};
      sum = FMA4(load4(in), weight, sum);
    }
    memcpy(dst + 4 * (ptrdiff_t)x, &sum, 16);
  }
}
