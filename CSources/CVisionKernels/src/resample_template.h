/* Resizing with tables of taps, over the vectors of network_lanes.h. */

typedef struct resample_pixel {
  const float *const *rows;
  const float *row_weights, *weights; /* of this pixel */
  const int32_t *columns;
  ptrdiff_t src_pixel_stride;
  int taps_x, taps_y;
} resample_pixel;

#define TAP(row, k) ((const float *)((const char *)pixel->rows[row] + pixel->columns[k] * pixel->src_pixel_stride) + \
                     channel)

/* Two by two taps, whose pointers and weights stay in registers. */
inline_always void resample_bilinear(float *out, const resample_pixel *pixel, int channels) {
  const int channel = 0;
  const float *a = TAP(0, 0), *b = TAP(0, 1), *c = TAP(1, 0), *d = TAP(1, 1);
  const vf left = SPLAT(pixel->weights[0]), right = SPLAT(pixel->weights[1]);
  const vf above = SPLAT(pixel->row_weights[0]), below = SPLAT(pixel->row_weights[1]);
  int i = 0;
  if (channels < 4) { /* vectors would be mostly empty */
    const float *w = pixel->weights, *h = pixel->row_weights;
    for (; i < channels; i++) {
      float p = __builtin_fmaf(b[i], w[1], a[i] * w[0]), q = __builtin_fmaf(d[i], w[1], c[i] * w[0]);
      out[i] = __builtin_fmaf(q, h[1], p * h[0]);
    }
    return;
  }
  for (; i + LANES <= channels; i += LANES) {
    vf p = FMA(load(b + i), right, load(a + i) * left), q = FMA(load(d + i), right, load(c + i) * left);
    store(out + i, FMA(q, below, p * above));
  }
  const int n = channels - i;
  if (n <= 0) return;
  vf p = FMA(load_lanes(b + i, n), right, load_lanes(a + i, n) * left);
  vf q = FMA(load_lanes(d + i, n), right, load_lanes(c + i, n) * left);
  store_lanes(out + i, FMA(q, below, p * above), n);
}

static void resample_any(float *out, const resample_pixel *pixel, int channels) {
  for (int channel = 0; channel < channels; channel += LANES) {
    const int n = channels - channel;
    vf total = SPLAT(0.0f);
    for (int j = 0; j < pixel->taps_y; j++) {
      vf sum = SPLAT(0.0f);
      for (int k = 0; k < pixel->taps_x; k++) {
        vf v = n < LANES ? load_lanes(TAP(j, k), n) : load(TAP(j, k));
        sum = pixel->weights ? FMA(v, SPLAT(pixel->weights[k]), sum) : v;
      }
      total = pixel->row_weights ? FMA(sum, SPLAT(pixel->row_weights[j]), total) : sum;
    }
    if (n < LANES) store_lanes(out + channel, total, n);
    else store(out + channel, total);
  }
}

/* Two taps of one row for a single channel: no vector for each pixel, but the same operations. */
static void resample_plane_row(float *out, const float *row, float row_weight, const cvk_resample *shape) {
  const int32_t *columns = shape->columns;
  const float *weights = shape->weights;
  for (int x = 0; x < shape->out_width; x++, columns += 2, weights += 2) {
    float sum = __builtin_fmaf(row[columns[0]], weights[0], 0.0f);
    out[x] = __builtin_fmaf(__builtin_fmaf(row[columns[1]], weights[1], sum), row_weight, 0.0f);
  }
}

void VARIANT(cvk_f32_resample)(float *dst, const float *const *rows, const float *row_weights,
                               const cvk_resample *shape) {
  const int bilinear = shape->taps_x == 2 && shape->taps_y == 2 && shape->weights && row_weights;
  const ptrdiff_t one = sizeof(float);
  if (shape->channels == 1 && shape->taps_x == 2 && shape->taps_y == 1 && shape->weights && row_weights &&
      shape->src_pixel_stride == one && shape->dst_pixel_stride == one) {
    resample_plane_row(dst, rows[0], row_weights[0], shape);
    return;
  }
  resample_pixel pixel = {rows,           row_weights, shape->weights, shape->columns, shape->src_pixel_stride,
                          shape->taps_x, shape->taps_y};
  for (int x = 0; x < shape->out_width; x++) {
    float *out = (float *)((char *)dst + x * shape->dst_pixel_stride);
    if (bilinear) resample_bilinear(out, &pixel, shape->channels);
    else resample_any(out, &pixel, shape->channels);
    pixel.columns += shape->taps_x;
    if (shape->weights) pixel.weights += shape->taps_x;
  }
}
