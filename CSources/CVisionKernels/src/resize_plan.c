/* Makes the weights of resize plans, and runs the two passes. */
#include <math.h>
#include <string.h>

#include "internal.h"

enum { GROUP = 4 /* rows that the second pass takes at once */ };

static size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

static int round_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

/* At least the taps that any output of the axis can have: `few` (2 or 4), or else a multiple of `many`. */
static int most_taps(int source, double length, int outputs, enum cvk_filter filter, int few, int many) {
  double scale = length / outputs;
  if (scale < 1) scale = 1;
  double taps = filter == CVK_FILTER_BILINEAR ? 2 : filter == CVK_FILTER_AREA ? ceil(scale) + 1 : ceil(2 * scale) + 1;
  int most = taps < source ? (int)taps : source;
  return most <= few ? few : round_up(most, many);
}

static double overlap(double low, double high, double pixel) {
  return fmax(0, fmin(high, pixel + 1) - fmax(low, pixel));
}

static double triangle(double distance) { return fmax(0, 1 - fabs(distance)); }

/* The weight of source pixel `pixel` for output i, not yet normalised. */
static double weight_of(enum cvk_filter filter, double start, double scale, int i, int pixel) {
  if (filter == CVK_FILTER_AREA) return overlap(start + i * scale, start + (i + 1) * scale, pixel);
  double wide = filter == CVK_FILTER_SMOOTH_BILINEAR && scale > 1 ? scale : 1;
  return triangle((pixel + 0.5 - (start + (i + 0.5) * scale)) / wide);
}

static void make_axis(uint8_t *plan, const cvk_resize_axis *axis, int source, double start, double length,
                      enum cvk_filter filter, int is_float) {
  int32_t *firsts = (int32_t *)(void *)(plan + axis->firsts), *counts = (int32_t *)(void *)(plan + axis->counts);
  double scale = length / axis->outputs;
  double reach = filter == CVK_FILTER_AREA ? scale / 2 : filter == CVK_FILTER_SMOOTH_BILINEAR && scale > 1 ? scale : 1;
  for (int i = 0; i < axis->outputs; i++) {
    double centre = start + (i + 0.5) * scale;
    int first = (int)fmax(0, floor(centre - reach - 0.5)), end = (int)fmin(source, ceil(centre + reach + 0.5));
    /* The bounds are generous; pixels without weight at either end are left out. */
    while (first < end && weight_of(filter, start, scale, i, first) <= 1e-9) first++;
    while (end > first && weight_of(filter, start, scale, i, end - 1) <= 1e-9) end--;
    if (end - first > axis->taps) end = first + axis->taps;
    double sum = 0, so_far = 0;
    for (int k = first; k < end; k++) sum += weight_of(filter, start, scale, i, k);
    if (!(sum > 0)) { /* beyond the edge by less than a pixel: the edge itself */
      first = (int)fmin(source - 1, fmax(0, floor(centre)));
      end = first + 1;
    }
    firsts[i] = first;
    counts[i] = end - first;
    int written = 0;
    for (int k = first; k < end; k++) {
      double weight = sum > 0 ? weight_of(filter, start, scale, i, k) / sum : 1;
      size_t at = (size_t)i * (size_t)axis->taps + (size_t)(k - first);
      so_far += weight;
      /* Rounding the running total keeps the sum exact, however many taps there are. */
      int total = k + 1 == end ? 1 << 14 : (int)floor(so_far * (1 << 14) + 0.5);
      if (is_float) ((float *)(void *)(plan + axis->weights))[at] = (float)weight;
      else ((int16_t *)(void *)(plan + axis->weights))[at] = (int16_t)(total - written);
      written = total;
    }
  }
}

/* Sizes and offsets; everything but the tables. */
static cvk_resize_plan lay_out(const cvk_resize_shape *s) {
  cvk_resize_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.shape = *s;
  plan.halves = s->filter == CVK_FILTER_AREA && !s->is_float && s->columns == 2.0 * s->dst_width &&
                s->rows == 2.0 * s->dst_height && s->x == floor(s->x) && s->y == floor(s->y);
  plan.bytes = aligned(sizeof plan);
  if (plan.halves) return plan; /* needs no tables, which would take longer to make than to halve a small image */
  plan.horizontal.outputs = s->dst_width;
  plan.horizontal.taps = most_taps(s->src_width, s->columns, s->dst_width, s->filter, s->is_float ? 4 : 2,
                                   s->is_float ? 4 : s->channels == 1 ? 8 : 2);
  plan.vertical.outputs = s->dst_height;
  plan.vertical.taps = most_taps(s->src_height, s->rows, s->dst_height, s->filter, 2, 2);
  size_t offset = plan.bytes;
  cvk_resize_axis *axes[2] = {&plan.horizontal, &plan.vertical};
  for (int i = 0; i < 2; i++) {
    size_t outputs = (size_t)axes[i]->outputs;
    axes[i]->firsts = offset;
    axes[i]->counts = offset += aligned(4 * outputs);
    axes[i]->weights = offset += aligned(4 * outputs);
    offset += aligned((s->is_float ? 4 : 2) * outputs * (size_t)axes[i]->taps);
  }
  plan.bytes = offset;
  return plan;
}

size_t cvk_resize_plan_bytes(const cvk_resize_shape *shape) { return lay_out(shape).bytes; }

void cvk_resize_plan_make(cvk_resize_plan *plan, const cvk_resize_shape *s) {
  cvk_resize_plan made = lay_out(s);
  uint8_t *bytes = (uint8_t *)plan;
  if (made.halves) {
    *plan = made;
    return;
  }
  memset(bytes, 0, made.bytes);
  make_axis(bytes, &made.horizontal, s->src_width, s->x, s->columns, s->filter, s->is_float);
  make_axis(bytes, &made.vertical, s->src_height, s->y, s->rows, s->filter, s->is_float);

  /* The first pass works on the columns that the second one reads. */
  int32_t *firsts = (int32_t *)(void *)(bytes + made.horizontal.firsts);
  const int32_t *counts = (const int32_t *)(const void *)(bytes + made.horizontal.counts);
  int last = made.horizontal.outputs - 1;
  made.first_column = firsts[0];
  made.used_columns = firsts[last] + counts[last] - firsts[0];
  for (int i = 0; i <= last; i++) firsts[i] -= made.first_column;
  made.scratch_stride =
      aligned((s->is_float ? 4 : 2) * ((size_t)(made.used_columns + made.horizontal.taps) * (size_t)s->channels + 32));
  *plan = made;
}

size_t cvk_resize_scratch_bytes(const cvk_resize_plan *plan) {
  return plan->halves ? 0 : plan->scratch_stride * (plan->shape.is_float ? 1 : GROUP);
}

static const void *table(const cvk_resize_plan *plan, size_t offset) { return (const uint8_t *)plan + offset; }

void cvk_resize_u8(const cvk_resize_plan *plan, uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                   ptrdiff_t src_stride, void *scratch) {
  const int channels = plan->shape.channels, width = plan->shape.dst_width, height = plan->shape.dst_height;
  if (plan->halves) {
    src += (ptrdiff_t)plan->shape.y * src_stride + (ptrdiff_t)plan->shape.x * channels;
    if (channels == 1) cvk_u8_halve_c1(dst, dst_stride, src, src_stride, width, height);
    else if (channels == 3) cvk_u8_halve_c3(dst, dst_stride, src, src_stride, width, height);
    else cvk_u8_halve_c4(dst, dst_stride, src, src_stride, width, height);
    return;
  }
  const int32_t *firsts = table(plan, plan->horizontal.firsts), *tops = table(plan, plan->vertical.firsts);
  const int32_t *counts = table(plan, plan->vertical.counts);
  const int16_t *weights = table(plan, plan->horizontal.weights), *row_weights = table(plan, plan->vertical.weights);
  const int taps = plan->horizontal.taps;
  const ptrdiff_t stride = (ptrdiff_t)plan->scratch_stride;
  src += (ptrdiff_t)plan->first_column * channels;
  for (int y = 0; y < height; y += GROUP) {
    int rows = height - y < GROUP ? height - y : GROUP;
    for (int i = 0; i < rows; i++)
      cvk_u8_resize_columns((int16_t *)(void *)((uint8_t *)scratch + i * stride), src + tops[y + i] * src_stride,
                            src_stride, plan->used_columns * channels,
                            row_weights + (ptrdiff_t)(y + i) * plan->vertical.taps, counts[y + i]);
    uint8_t *out = dst + y * dst_stride;
    if (channels == 1) cvk_u8_resize_rows_c1(out, dst_stride, scratch, stride, width, rows, firsts, weights, taps);
    else if (channels == 3) cvk_u8_resize_rows_c3(out, dst_stride, scratch, stride, width, rows, firsts, weights, taps);
    else cvk_u8_resize_rows_c4(out, dst_stride, scratch, stride, width, rows, firsts, weights, taps);
  }
}

void cvk_resize_f32(const cvk_resize_plan *plan, float *dst, ptrdiff_t dst_stride, const float *src,
                    ptrdiff_t src_stride, void *scratch) {
  const int32_t *tops = table(plan, plan->vertical.firsts), *counts = table(plan, plan->vertical.counts);
  const float *row_weights = table(plan, plan->vertical.weights);
  for (int y = 0; y < plan->shape.dst_height; y++) {
    const uint8_t *top = (const uint8_t *)(src + plan->first_column) + tops[y] * src_stride;
    cvk_f32_resize_columns(scratch, (const float *)(const void *)top, src_stride, plan->used_columns,
                           row_weights + (ptrdiff_t)y * plan->vertical.taps, counts[y]);
    cvk_f32_resize_row((float *)(void *)((uint8_t *)dst + y * dst_stride), scratch, plan->shape.dst_width,
                       table(plan, plan->horizontal.firsts), table(plan, plan->horizontal.counts),
                       table(plan, plan->horizontal.weights), plan->horizontal.taps);
  }
}
