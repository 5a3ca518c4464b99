/* The Fourier transforms over vectors of any width: every lane is a transform of its own (a row or a column), so that
 * the butterflies need no shuffles. The including file has defined
 *
 *   LANES, vf, FMA, FNMA, SPLAT, inline_always, VARIANT(name)   the vector type and what the kernels are called
 *   load(p), store(p, v)                    unaligned, whole vectors
 *   load_part(p, n), store_part(p, v, n)    the first n lanes only; the others are zero
 *   load_bytes(p), load_bytes_part(p, n)    bytes as floats
 *   transpose(v)                            a square of LANES x LANES
 *
 * A pass of the transform takes one radix (Stockham's order, so nothing has to be permuted afterwards). Passes go from
 * the image to scratch, between two pieces of scratch, and from scratch to the image. In scratch an element is a vector
 * of real parts followed by a vector of imaginary parts. Rows are transposed on their way into scratch and out of it,
 * and are transformed as width / 2 complex numbers, made of even and odd pixels.
 */
#include "fft_butterflies.h"

enum { element = 2 * LANES }; /* floats from one element in scratch to the next */

/* Elements of LANES transforms: where the parts of the first are, and how many floats on the next one is. */
typedef struct lanes_view {
  float *re, *im;
  ptrdiff_t step;
} lanes_view;

static inline lanes_view scratch_view(float *scratch) { return (lanes_view){scratch, scratch + LANES, element}; }

/* Left alone, compilers keep a pointer for each of the 4 * radix addresses of an iteration; they do not fit the
 * registers and are loaded from the stack one by one. */
#define OPAQUE(pointer) __asm__("" : "+r"(pointer))

/* One pass: `groups` times `inner` butterflies whose elements are groups * inner apart; results j of group p, times
 * exp(-2 pi i j p / (radix * groups)), go to inner * (radix * p + j). */
#define FFT_PASS(radix) \
  static void pass##radix(lanes_view to, lanes_view from, int groups, int inner, const float *twiddles) { \
    ptrdiff_t from_step = from.step * inner * groups, to_step = to.step * inner; \
    const float *src_re = from.re, *src_im = from.im; \
    float *dst_re = to.re, *dst_im = to.im; \
    for (int q = 0; q < inner; q++) { \
      OPAQUE(src_re); OPAQUE(src_im); OPAQUE(dst_re); OPAQUE(dst_im); \
      vf re[radix], im[radix]; \
      for (int k = 0; k < radix; k++) re[k] = load(src_re + k * from_step), im[k] = load(src_im + k * from_step); \
      butterfly##radix(re, im); \
      for (int j = 0; j < radix; j++) store(dst_re + j * to_step, re[j]), store(dst_im + j * to_step, im[j]); \
      src_re += from.step, src_im += from.step, dst_re += to.step, dst_im += to.step; \
    } \
    for (int p = 1; p < groups; p++, twiddles += 2 * (radix - 1)) { \
      dst_re = to.re + (ptrdiff_t)p * radix * to_step, dst_im = to.im + (ptrdiff_t)p * radix * to_step; \
      for (int q = 0; q < inner; q++) { \
        OPAQUE(src_re); OPAQUE(src_im); OPAQUE(dst_re); OPAQUE(dst_im); \
        vf re[radix], im[radix]; \
        for (int k = 0; k < radix; k++) re[k] = load(src_re + k * from_step), im[k] = load(src_im + k * from_step); \
        butterfly##radix(re, im); \
        store(dst_re, re[0]), store(dst_im, im[0]); \
        for (int j = 1; j < radix; j++) { \
          vf wr = SPLAT(twiddles[2 * j - 2]), wi = SPLAT(twiddles[2 * j - 1]); \
          store(dst_re + j * to_step, FNMA(wi, im[j], wr * re[j])); \
          store(dst_im + j * to_step, FMA(wi, re[j], wr * im[j])); \
        } \
        src_re += from.step, src_im += from.step, dst_re += to.step, dst_im += to.step; \
      } \
    } \
  }
FFT_PASS(2)
FFT_PASS(3)
FFT_PASS(4)
FFT_PASS(5)
FFT_PASS(8)

/* All passes of an axis, `from` -> a -> b -> a ... -> `to`. `to` may be `from`, and either may be the scratch that the
 * neighbouring pass does not use. */
static void transform_lanes(lanes_view to, lanes_view from, float *a, float *b, const cvk_fft_axis *axis,
                            const float *table) {
  int inner = 1, remaining = axis->length;
  for (int stage = 0; stage < axis->stages; stage++) {
    int radix = axis->radix[stage], groups = remaining / radix;
    lanes_view next = stage == axis->stages - 1 ? to : scratch_view(stage % 2 == 0 ? a : b);
    const float *twiddles = table + axis->twiddles[stage];
    switch (radix) {
      case 8: pass8(next, from, groups, inner, twiddles); break;
      case 5: pass5(next, from, groups, inner, twiddles); break;
      case 4: pass4(next, from, groups, inner, twiddles); break;
      case 3: pass3(next, from, groups, inner, twiddles); break;
      default: pass2(next, from, groups, inner, twiddles); break;
    }
    from = next;
    remaining = groups;
    inner *= radix;
  }
}

static inline float *align_work(void *work) { return (float *)(((uintptr_t)work + 63) & ~(uintptr_t)63); }

static inline float *scratch_half(float *a, const cvk_fft_plan *plan) {
  return a + (cvk_fft_work_size(plan) - 64) / (2 * sizeof(float));
}

static inline float *float_at(float *base, ptrdiff_t bytes) { return (float *)((char *)base + bytes); }
static inline const float *const_float_at(const float *base, ptrdiff_t bytes) {
  return (const float *)((const char *)base + bytes);
}

/* Transforms `width` columns forward. `to` may be `from`; a part of `from` that is NULL is zero. */
static void transform_columns(lanes_view to, lanes_view from, int width, const cvk_fft_plan *plan, float *a, float *b) {
  const cvk_fft_axis *axis = &plan->column;
  for (int x = 0; x < width; x += LANES) {
    int count = width - x < LANES ? width - x : LANES;
    lanes_view src = {from.re ? from.re + x : NULL, from.im ? from.im + x : NULL, from.step};
    lanes_view dst = {to.re + x, to.im + x, to.step};
    if (count == LANES && from.re && from.im) {
      transform_lanes(dst, src, a, b, axis, plan->table);
      continue;
    }
    /* Too few columns for whole vectors: through scratch, so that nothing beyond them is touched. */
    for (int y = 0; y < axis->length; y++) {
      store(a + y * element, from.re ? load_part(src.re + y * src.step, count) : SPLAT(0));
      store(a + y * element + LANES, from.im ? load_part(src.im + y * src.step, count) : SPLAT(0));
    }
    float *result = axis->stages % 2 == 0 ? a : b;
    transform_lanes(scratch_view(result), scratch_view(a), b, a, axis, plan->table);
    for (int y = 0; y < axis->length; y++) {
      store_part(dst.re + y * dst.step, load(result + y * element), count);
      store_part(dst.im + y * dst.step, load(result + y * element + LANES), count);
    }
  }
}

/* Column 0 holds the frequencies kx = 0 and kx = width / 2 of the rows as real and imaginary part, both real: separates
 * their transforms, the second into the last column. */
static void split_edge_columns(lanes_view view, int height, int last) {
  for (int y = 0; y <= height / 2; y++) {
    ptrdiff_t k = y * view.step, m = (y == 0 ? 0 : height - y) * view.step;
    float fr = view.re[k], fi = view.im[k], gr = view.re[m], gi = view.im[m];
    float pr = 0.5f * (fr + gr), pi = 0.5f * (fi - gi), qr = 0.5f * (fi + gi), qi = 0.5f * (gr - fr);
    view.re[k] = pr, view.im[k] = pi, view.re[m] = pr, view.im[m] = y == 0 || m == k ? pi : -pi;
    view.re[k + last] = qr, view.im[k + last] = qi;
    view.re[m + last] = qr, view.im[m + last] = y == 0 || m == k ? qi : -qi;
  }
}

/* The reverse: the last column joins column 0. Only the parts of the two columns that belong to real rows are kept. */
static void join_edge_columns(lanes_view view, int height, int last) {
  for (int y = 0; y <= height / 2; y++) {
    ptrdiff_t k = y * view.step, m = (y == 0 ? 0 : height - y) * view.step;
    float pr = 0.5f * (view.re[k] + view.re[m]), pi = 0.5f * (view.im[k] - view.im[m]);
    float qr = 0.5f * (view.re[k + last] + view.re[m + last]), qi = 0.5f * (view.im[k + last] - view.im[m + last]);
    view.re[k] = pr - qi, view.im[k] = pi + qr;
    view.re[m] = pr + qi, view.im[m] = qr - pi;
  }
}

/* LANES rows of `width` floats, transposed into scratch; `step` floats from one column to the next. A step of LANES
 * fills real and imaginary parts in turn with even and odd columns, a step of `element` fills one of the two. */
inline_always void load_rows(float *scratch, ptrdiff_t step, const float *const *rows, int width) {
  int x = 0;
  vf tile[LANES];
  for (; x + LANES <= width; x += LANES) {
    for (int i = 0; i < LANES; i++) tile[i] = load(rows[i] + x);
    transpose(tile);
    for (int i = 0; i < LANES; i++) store(scratch + (x + i) * step, tile[i]);
  }
  if (x == width) return;
  for (int i = 0; i < LANES; i++) tile[i] = load_part(rows[i] + x, width - x);
  transpose(tile);
  for (int i = 0; i < width - x; i++) store(scratch + (x + i) * step, tile[i]);
}

/* The inverse, for the first `row_count` rows. */
inline_always void store_rows(float *const *rows, int row_count, const float *scratch, ptrdiff_t step, int width) {
  int x = 0;
  vf tile[LANES];
  for (; x + LANES <= width; x += LANES) {
    for (int i = 0; i < LANES; i++) tile[i] = load(scratch + (x + i) * step);
    transpose(tile);
    if (row_count == LANES) {
      for (int i = 0; i < LANES; i++) store(rows[i] + x, tile[i]);
    } else {
      for (int i = 0; i < row_count; i++) store(rows[i] + x, tile[i]);
    }
  }
  if (x == width) return;
  for (int i = 0; i < LANES; i++) tile[i] = i < width - x ? load(scratch + (x + i) * step) : SPLAT(0);
  transpose(tile);
  for (int i = 0; i < row_count; i++) store_part(rows[i] + x, tile[i], width - x);
}

/* From the transform of the packed rows to that of the real rows; frequency width / 2 becomes the imaginary part of
 * frequency 0, which has none. `half` is width / 2, the table holds cos and sin of 2 pi k / width, halved. */
static void split_real(float *scratch, int half, const float *table) {
  vf r = load(scratch), i = load(scratch + LANES), h = SPLAT(0.5f);
  store(scratch, r + i), store(scratch + LANES, r - i);
  for (int k = 1; k <= half / 2; k++) {
    float *at = scratch + k * element, *mirror = scratch + (half - k) * element;
    vf c = SPLAT(table[2 * k]), s = SPLAT(table[2 * k + 1]);
    vf zr = load(at), zi = load(at + LANES), mr = load(mirror), mi = load(mirror + LANES);
    vf dr = zr - mr, di = zi + mi, sr = zr + mr, si = zi - mi;
    vf tr = FNMA(s, dr, c * di), ti = FMA(c, dr, s * di);
    store(at, FMA(h, sr, tr)), store(at + LANES, FNMA(SPLAT(1), ti, h * si));
    store(mirror, FNMA(SPLAT(1), tr, h * sr)), store(mirror + LANES, FNMA(h, si, -ti));
  }
}

/* The reverse, multiplied by `scale`. */
static void join_real(float *scratch, int half, const float *table, float scale) {
  vf g = SPLAT(scale), r = load(scratch), i = load(scratch + LANES);
  store(scratch, g * (r + i)), store(scratch + LANES, g * (r - i));
  for (int k = 1; k <= half / 2; k++) {
    float *at = scratch + k * element, *mirror = scratch + (half - k) * element;
    vf c = SPLAT(2 * scale * table[2 * k]), s = SPLAT(2 * scale * table[2 * k + 1]);
    vf xr = load(at), xi = load(at + LANES), mr = load(mirror), mi = load(mirror + LANES);
    vf dr = xr - mr, di = xi + mi, sr = xr + mr, si = xi - mi;
    vf p = FMA(s, dr, c * di), q = FNMA(s, di, c * dr);
    store(at, FMA(g, sr, -p)), store(at + LANES, FMA(g, si, q));
    store(mirror, FMA(g, sr, p)), store(mirror + LANES, FNMA(g, si, q));
  }
}

/* What the rows in scratch `a` become in the planes of the spectrum, before the columns are transformed. */
static void transform_rows(float *const *re_rows, float *const *im_rows, int row_count, float *a, float *b,
                           const cvk_fft_plan *plan) {
  float *result = plan->row.stages % 2 == 0 ? a : b;
  transform_lanes(scratch_view(result), scratch_view(a), b, a, &plan->row, plan->table);
  split_real(result, plan->row.length, plan->table + plan->real_twiddles);
  store_rows(re_rows, row_count, result, element, plan->row.length);
  store_rows(im_rows, row_count, result + LANES, element, plan->row.length);
}

void VARIANT(cvk_f32_fft2_forward)(float *dst_re, float *dst_im, ptrdiff_t dst_stride, ptrdiff_t dst_image_stride,
                                   const float *src, ptrdiff_t src_stride, ptrdiff_t src_image_stride, int count,
                                   const cvk_fft_plan *plan, void *work) {
  int half = plan->row.length, height = plan->height;
  float *a = align_work(work), *b = scratch_half(a, plan);
  /* The rows of all images are taken together, so that small images fill the vectors too. */
  for (int y = 0; y < count * height; y += LANES) {
    const float *src_rows[LANES];
    float *re_rows[LANES], *im_rows[LANES];
    int row_count = count * height - y < LANES ? count * height - y : LANES;
    for (int i = 0; i < LANES; i++) {
      int row = i < row_count ? y + i : y;
      ptrdiff_t image = row / height;
      row %= height;
      src_rows[i] = const_float_at(src, image * src_image_stride + row * src_stride);
      re_rows[i] = float_at(dst_re, image * dst_image_stride + row * dst_stride);
      im_rows[i] = float_at(dst_im, image * dst_image_stride + row * dst_stride);
    }
    load_rows(a, LANES, src_rows, plan->width);
    transform_rows(re_rows, im_rows, row_count, a, b, plan);
  }
  for (int image = 0; image < count; image++) {
    lanes_view view = {float_at(dst_re, image * dst_image_stride), float_at(dst_im, image * dst_image_stride),
                       dst_stride / (ptrdiff_t)sizeof(float)};
    transform_columns(view, view, half, plan, a, b);
    split_edge_columns(view, height, half);
  }
}

/* As load_rows, from bytes: less `mean`, times the window, and zero beyond `width` up to the width of the plan. */
static void load_windowed_rows(float *scratch, const uint8_t *const *rows, int width, const float *window_x,
                               const float *row_weight, float mean, int plan_width) {
  vf tile[LANES], m = SPLAT(mean);
  for (int x = 0; x < plan_width; x += LANES) {
    int count = width - x < LANES ? width - x : LANES, wanted = plan_width - x < LANES ? plan_width - x : LANES;
    if (count == LANES) {
      vf w = load(window_x + x);
      for (int i = 0; i < LANES; i++) tile[i] = (load_bytes(rows[i] + x) - m) * (w * SPLAT(row_weight[i]));
    } else if (count > 0) {
      vf w = load_part(window_x + x, count);
      for (int i = 0; i < LANES; i++) {
        tile[i] = (load_bytes_part(rows[i] + x, count) - m) * (w * SPLAT(row_weight[i]));
      }
    } else {
      for (int i = 0; i < LANES; i++) tile[i] = SPLAT(0);
    }
    transpose(tile);
    for (int i = 0; i < wanted; i++) store(scratch + (x + i) * LANES, tile[i]);
  }
}

void VARIANT(cvk_u8_fft2_forward_windowed)(float *dst_re, float *dst_im, ptrdiff_t dst_stride, const uint8_t *src,
                                           ptrdiff_t src_stride, int width, int height, const float *window_x,
                                           const float *window_y, float mean, const cvk_fft_plan *plan, void *work) {
  float *a = align_work(work), *b = scratch_half(a, plan);
  for (int y = 0; y < plan->height; y += LANES) {
    const uint8_t *src_rows[LANES];
    float *re_rows[LANES], *im_rows[LANES], weight[LANES];
    int row_count = plan->height - y < LANES ? plan->height - y : LANES;
    for (int i = 0; i < LANES; i++) {
      int row = i < row_count ? y + i : y;
      src_rows[i] = src + (row < height ? row : 0) * src_stride;
      weight[i] = row < height ? window_y[row] : 0;
      re_rows[i] = float_at(dst_re, row * dst_stride);
      im_rows[i] = float_at(dst_im, row * dst_stride);
    }
    load_windowed_rows(a, src_rows, width, window_x, weight, mean, plan->width);
    transform_rows(re_rows, im_rows, row_count, a, b, plan);
  }
  lanes_view view = {dst_re, dst_im, dst_stride / (ptrdiff_t)sizeof(float)};
  transform_columns(view, view, plan->row.length, plan, a, b);
  split_edge_columns(view, plan->height, plan->row.length);
}

void VARIANT(cvk_f32_fft2_inverse)(float *dst, ptrdiff_t dst_stride, ptrdiff_t dst_image_stride, float *src_re,
                                   float *src_im, ptrdiff_t src_stride, ptrdiff_t src_image_stride, int count,
                                   const cvk_fft_plan *plan, void *work) {
  int half = plan->row.length, height = plan->height;
  float *a = align_work(work), *b = scratch_half(a, plan);
  float *result = plan->row.stages % 2 == 0 ? a : b;
  float scale = 1.0f / ((float)plan->width * (float)height);
  for (int image = 0; image < count; image++) {
    lanes_view view = {float_at(src_re, image * src_image_stride), float_at(src_im, image * src_image_stride),
                       src_stride / (ptrdiff_t)sizeof(float)};
    join_edge_columns(view, height, half);
    /* The inverse is the forward transform with real and imaginary parts swapped. */
    lanes_view swapped = {view.im, view.re, view.step};
    transform_columns(swapped, swapped, half, plan, a, b);
  }
  for (int y = 0; y < count * height; y += LANES) {
    const float *re_rows[LANES], *im_rows[LANES];
    float *dst_rows[LANES];
    int row_count = count * height - y < LANES ? count * height - y : LANES;
    for (int i = 0; i < LANES; i++) {
      int row = i < row_count ? y + i : y;
      ptrdiff_t image = row / height;
      row %= height;
      re_rows[i] = const_float_at(src_re, image * src_image_stride + row * src_stride);
      im_rows[i] = const_float_at(src_im, image * src_image_stride + row * src_stride);
      dst_rows[i] = float_at(dst, image * dst_image_stride + row * dst_stride);
    }
    load_rows(a, element, re_rows, half);
    load_rows(a + LANES, element, im_rows, half);
    join_real(a, half, plan->table + plan->real_twiddles, scale);
    lanes_view to = {result + LANES, result, element}, from = {a + LANES, a, element};
    transform_lanes(to, from, b, a, &plan->row, plan->table);
    store_rows(dst_rows, row_count, result, LANES, plan->width);
  }
}

void VARIANT(cvk_f32_fft_columns)(float *dst_re, float *dst_im, ptrdiff_t dst_stride, const float *src_re,
                                  const float *src_im, ptrdiff_t src_stride, int width, int inverse,
                                  const cvk_fft_plan *plan, void *work) {
  float *a = align_work(work), *b = scratch_half(a, plan);
  lanes_view to = {dst_re, dst_im, dst_stride / (ptrdiff_t)sizeof(float)};
  lanes_view from = {(float *)(uintptr_t)src_re, (float *)(uintptr_t)src_im, src_stride / (ptrdiff_t)sizeof(float)};
  lanes_view to_swapped = {to.im, to.re, to.step}, from_swapped = {from.im, from.re, from.step};
  transform_columns(inverse ? to_swapped : to, inverse ? from_swapped : from, width, plan, a, b);
}
