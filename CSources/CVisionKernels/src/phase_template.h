/* Phase correlation and its refinement, over the vectors that lanes.h defines. */

static inline const float *row_of(const float *base, ptrdiff_t stride, int y) {
  return (const float *)((const char *)base + y * stride);
}

void VARIANT(cvk_u8_sum)(uint64_t *dst, const uint8_t *src, ptrdiff_t src_stride, int width, int height) {
  uint64_t total = 0;
  for (int y = 0; y < height; y++, src += src_stride) {
    int x = 0;
    /* Floats are exact up to 2^24: a chunk of 256 vectors stays far below. */
    while (x + LANES <= width) {
      int end = width - x < 256 * LANES ? width : x + 256 * LANES;
      vf sum = SPLAT(0);
      for (; x + LANES <= end; x += LANES) sum = sum + load_bytes(src + x);
      total += (uint64_t)sum_of_lanes(sum);
    }
    for (; x < width; x++) total += src[x];
  }
  *dst = total;
}

void VARIANT(cvk_f32_cross_power)(float *dst_re, float *dst_im, ptrdiff_t dst_stride, const float *a_re,
                                  const float *a_im, const float *b_re, const float *b_im, ptrdiff_t src_stride,
                                  int width, int height, float floor) {
  vf least = SPLAT(floor * floor);
  for (int y = 0; y < height; y++) {
    const float *ar = row_of(a_re, src_stride, y), *ai = row_of(a_im, src_stride, y);
    const float *br = row_of(b_re, src_stride, y), *bi = row_of(b_im, src_stride, y);
    float *re = (float *)(uintptr_t)row_of(dst_re, dst_stride, y),
          *im = (float *)(uintptr_t)row_of(dst_im, dst_stride, y);
    for (int x = 0; x < width; x += LANES) {
      int n = width - x;
      if (n >= LANES) {
        vf p = load(ar + x), q = load(ai + x), u = load(br + x), v = load(bi + x);
        vf r = FMA(v, q, u * p), i = FNMA(u, q, v * p);
        vf scale = reciprocal_root(FMA(i, i, FMA(r, r, least)));
        store(re + x, r * scale), store(im + x, i * scale);
      } else {
        vf p = load_part(ar + x, n), q = load_part(ai + x, n), u = load_part(br + x, n), v = load_part(bi + x, n);
        vf r = FMA(v, q, u * p), i = FNMA(u, q, v * p);
        vf scale = reciprocal_root(FMA(i, i, FMA(r, r, least)));
        store_part(re + x, r * scale, n), store_part(im + x, i * scale, n);
      }
    }
  }
}

void VARIANT(cvk_f32_max_of_64)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int width,
                                int height) {
  for (int y = 0; y < height; y++) {
    const float *row = row_of(src, src_stride, y);
    float *out = (float *)(uintptr_t)row_of(dst, dst_stride, y);
    for (int x = 0; x < width; x += 64, out++) {
      int end = width - x < 64 ? width : x + 64, at = x;
      vf best = SPLAT(row[x]);
      for (; at + LANES <= end; at += LANES) best = larger(best, load(row + at));
      float value = largest_lane(best);
      for (; at < end; at++) value = row[at] > value ? row[at] : value;
      *out = value;
    }
  }
}

enum { sum_count = 14 };

void VARIANT(cvk_u8_translation_sums)(double *dst, const uint8_t *reference, ptrdiff_t reference_stride,
                                      const uint8_t *floating, ptrdiff_t floating_stride, int width, int rows,
                                      int row_step, const float *taps_x, const float *taps_y, float *work) {
  for (int i = 0; i < sum_count; i++) dst[i] = 0;
  for (int line = 0; line < rows; line++) {
    const uint8_t *r0 = reference + (ptrdiff_t)line * row_step * reference_stride;
    const uint8_t *above = r0 - reference_stride, *below = r0 + reference_stride;
    const uint8_t *f0 = floating + (ptrdiff_t)line * row_step * floating_stride - 2;
    /* Down first: work[i] belongs to column i - 2. */
    for (int x = 0; x < width + 5; x += LANES) {
      int n = width + 5 - x;
      vf v = SPLAT(-128);
      for (int k = 0; k < 6; k++) {
        const uint8_t *p = f0 + (k - 2) * floating_stride + x;
        v = FMA(SPLAT(taps_y[k]), n >= LANES ? load_bytes(p) : load_bytes_part(p, n), v);
      }
      if (n >= LANES) {
        store(work + x, v);
      } else {
        store_part(work + x, v, n);
      }
    }
    vf sum[sum_count];
    for (int i = 0; i < sum_count; i++) sum[i] = SPLAT(0);
    for (int x = 0; x < width; x += LANES) {
      int n = width - x < LANES ? width - x : LANES;
#define PIXELS(row, shift) (n == LANES ? load_bytes((row) + x + (shift)) : load_bytes_part((row) + x + (shift), n))
      vf nw = PIXELS(above, -1), no = PIXELS(above, 0), ne = PIXELS(above, 1);
      vf we = PIXELS(r0, -1), ea = PIXELS(r0, 1);
      vf sw = PIXELS(below, -1), so = PIXELS(below, 0), se = PIXELS(below, 1);
      vf eighth = SPLAT(0.125f), two = SPLAT(2);
      vf gx = eighth * FMA(two, ea - we, (ne - nw) + (se - sw));
      vf gy = eighth * FMA(two, so - no, (sw - nw) + (se - ne));
      vf r = PIXELS(r0, 0) - SPLAT(128);
#undef PIXELS
      vf f = SPLAT(0);
      for (int k = 0; k < 6; k++) {
        f = FMA(SPLAT(taps_x[k]), n == LANES ? load(work + x + k) : load_part(work + x + k, n), f);
      }
      if (n < LANES) r = keep_part(r, n);
      vf e = f - r;
      sum[0] = FMA(gx, gx, sum[0]), sum[1] = FMA(gx, gy, sum[1]), sum[2] = FMA(gy, gy, sum[2]);
      sum[3] = FMA(gx, r, sum[3]), sum[4] = FMA(gy, r, sum[4]), sum[5] = FMA(r, r, sum[5]);
      sum[6] = sum[6] + gx, sum[7] = sum[7] + gy, sum[8] = sum[8] + r;
      sum[9] = FMA(gx, e, sum[9]), sum[10] = FMA(gy, e, sum[10]), sum[11] = FMA(r, e, sum[11]);
      sum[12] = sum[12] + e, sum[13] = FMA(e, e, sum[13]);
    }
    for (int i = 0; i < sum_count; i++) dst[i] += (double)sum_of_lanes(sum[i]);
  }
}
