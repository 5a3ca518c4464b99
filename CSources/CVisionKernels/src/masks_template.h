/* The guided filter in plain C: compilers make vectors of its loops. Every product and sum is rounded, in one order. */

void VARIANT(cvk_f32_box_mean)(float *dst, const float *src, int width, int height, int radius, double *sums) {
  for (int x = 0; x < width; x++) sums[x] = 0;
  for (int y = 0; y < radius && y < height; y++) {
    const float *row = src + (ptrdiff_t)y * width;
    for (int x = 0; x < width; x++) sums[x] += row[x];
  }
  for (int y = 0; y < height; y++) {
    if (y + radius < height) {
      const float *entering = src + (ptrdiff_t)(y + radius) * width;
      for (int x = 0; x < width; x++) sums[x] += entering[x];
    }
    if (y - radius - 1 >= 0) {
      const float *leaving = src + (ptrdiff_t)(y - radius - 1) * width;
      for (int x = 0; x < width; x++) sums[x] -= leaving[x];
    }
    const int top = y - radius > 0 ? y - radius : 0, bottom = y + radius < height - 1 ? y + radius : height - 1;
    const int rows = bottom - top + 1;
    float *result = dst + (ptrdiff_t)y * width;
    double sum = 0;
    for (int x = 0; x < radius && x < width; x++) sum += sums[x];
    for (int x = 0; x < width; x++) {
      if (x + radius < width) sum += sums[x + radius];
      if (x - radius - 1 >= 0) sum -= sums[x - radius - 1];
      const int left = x - radius > 0 ? x - radius : 0, right = x + radius < width - 1 ? x + radius : width - 1;
      result[x] = (float)(sum / ((double)rows * (right - left + 1)));
    }
  }
}

void VARIANT(cvk_f32_guided_products)(float *const *dst, const uint8_t *guide, ptrdiff_t guide_stride,
                                      const float *mask, int width, int height) {
  for (int y = 0; y < height; y++) {
    const ptrdiff_t start = (ptrdiff_t)y * width;
    const uint8_t *pixels = guide + y * guide_stride;
    for (int x = 0; x < width; x++) {
      const ptrdiff_t i = start + x;
      const float r = pixels[4 * x] * (1 / 255.0f), g = pixels[4 * x + 1] * (1 / 255.0f);
      const float b = pixels[4 * x + 2] * (1 / 255.0f), m = mask[i];
      dst[0][i] = r, dst[1][i] = g, dst[2][i] = b, dst[3][i] = m;
      dst[4][i] = r * m, dst[5][i] = g * m, dst[6][i] = b * m;
      dst[7][i] = r * r, dst[8][i] = r * g, dst[9][i] = r * b;
      dst[10][i] = g * g, dst[11][i] = g * b, dst[12][i] = b * b;
    }
  }
}

void VARIANT(cvk_f32_guided_solution)(float *const *dst, const float *const *means, int count, float epsilon) {
  float *restrict to_r = dst[0], *restrict to_g = dst[1], *restrict to_b = dst[2], *restrict offset = dst[3];
  for (int i = 0; i < count; i++) {
    const float r = means[0][i], g = means[1][i], b = means[2][i], m = means[3][i];
    const float rm = means[4][i] - r * m, gm = means[5][i] - g * m, bm = means[6][i] - b * m;
    const float rr = means[7][i] - r * r + epsilon, rg = means[8][i] - r * g, rb = means[9][i] - r * b;
    const float gg = means[10][i] - g * g + epsilon, gb = means[11][i] - g * b;
    const float bb = means[12][i] - b * b + epsilon;
    /* The inverse of a symmetric matrix by its cofactors. The determinant is at least epsilon^3, but for rounding. */
    const float c0 = gg * bb - gb * gb, c1 = rb * gb - rg * bb, c2 = rg * gb - rb * gg;
    const float c3 = rr * bb - rb * rb, c4 = rg * rb - rr * gb, c5 = rr * gg - rg * rg;
    const float least = epsilon * epsilon * epsilon;
    float determinant = rr * c0 + rg * c1 + rb * c2;
    determinant = determinant > least ? determinant : least;
    const float x = (c0 * rm + c1 * gm + c2 * bm) / determinant;
    const float y = (c1 * rm + c3 * gm + c4 * bm) / determinant;
    const float z = (c2 * rm + c4 * gm + c5 * bm) / determinant;
    to_r[i] = x, to_g[i] = y, to_b[i] = z;
    offset[i] = m - (x * r + y * g + z * b);
  }
}

void VARIANT(cvk_f32_guided_result)(float *dst, ptrdiff_t dst_stride, const float *const *a, ptrdiff_t a_stride,
                                    const uint8_t *guide, ptrdiff_t guide_stride, int width, int height) {
  for (int y = 0; y < height; y++) {
    const uint8_t *restrict pixels = guide + y * guide_stride;
    const float *rows[4];
    for (int k = 0; k < 4; k++) rows[k] = (const float *)((const char *)a[k] + y * a_stride);
    float *restrict result = (float *)((char *)dst + y * dst_stride);
    for (int x = 0; x < width; x++) {
      const float r = pixels[4 * x] * (1 / 255.0f), g = pixels[4 * x + 1] * (1 / 255.0f);
      const float b = pixels[4 * x + 2] * (1 / 255.0f);
      const float value = r * rows[0][x] + g * rows[1][x] + b * rows[2][x] + rows[3][x];
      const float high = value < 1 ? value : 1;
      result[x] = high > 0 ? high : 0;
    }
  }
}
