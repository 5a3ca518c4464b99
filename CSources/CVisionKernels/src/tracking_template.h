/* Kernels of the correlation trackers, written once and compiled for every instruction set.
 *
 * The arithmetic is element by element, in one order and without contraction, in loops that compilers turn into vector
 * code, so all variants give the same bits. Sums over elements go into 16 partial sums for the same reason. A file of
 * an instruction set defines VARIANT(name), which makes the name of its variant, and includes this. */
#include <math.h>
#include <string.h>

#define CELL CVK_TRACK_CELL
#define BINS CVK_TRACK_BINS
#define HALF (BINS / 2) /* opposite directions share an axis */
#define BLOCK 64 /* frequencies summed over the channels at a time */
#define SUMS 16
/* Rows have as few as 32 elements: unrolling further would leave them to the scalar rest of a loop. */
#define SHORT_LOOP _Pragma("clang loop interleave_count(2)")
#define MOST_TAPS 10  /* of the box filter: a step of at most 8 pixels covers parts of 10 */
#define LONGEST (CELL * (CVK_TRACK_MOST_CELLS + 2))

/* What a pixel of each phase counts for its own cell; the rest is for the neighbour on its side. */
static const float track_near[CELL] = {0.625f, 0.875f, 0.875f, 0.625f};
/* Keeps flat cells from being divided by nothing; grey levels squared. */
static const float track_floor = 0.1f;
static const float track_clip = 0.4f;

/* Where the samples of one axis lie and what they weigh: tap t of sample i is at [t * count + i]. */
typedef struct track_axis {
  int taps, first, used; /* the pixels that any sample needs: `used` of them from `first` on, where index 0 is */
  int32_t index[MOST_TAPS * LONGEST];
  float weight[MOST_TAPS * LONGEST];
} track_axis;

/* Sample i is the mean over a box of one step, and at least of one pixel, around start + i * step; with a step of at
 * most one pixel this is linear interpolation. Beyond the ends the edge pixels go on. */
static void VARIANT(axis_init)(track_axis *axis, const int *order, int count, double start, double step, int length) {
  if (!(step > -8)) step = -8;
  if (step > 8) step = 8;
  double box = step > 1 ? step : 1;
  axis->taps = (int)ceil(box) + 1;
  int low = length - 1, high = 0;
  for (int i = 0; i < count; i++) {
    double from = start + order[i] * step - box / 2, to;
    if (!(from > -1e6)) from = -1e6; /* NaN as well */
    if (from > 1e6) from = 1e6;
    to = from + box;
    int pixel = (int)floor(from + 0.5);
    for (int t = 0; t < axis->taps; t++, pixel++) {
      double left = pixel - 0.5 > from ? pixel - 0.5 : from, right = pixel + 0.5 < to ? pixel + 0.5 : to;
      int inside = pixel < 0 ? 0 : pixel >= length ? length - 1 : pixel;
      axis->index[t * count + i] = inside;
      axis->weight[t * count + i] = right > left ? (float)((right - left) / box) : 0;
      if (inside < low) low = inside;
      if (inside > high) high = inside;
    }
  }
  for (int i = 0; i < axis->taps * count; i++) axis->index[i] -= low;
  axis->first = low;
  axis->used = high - low + 1;
}

/* A row of samples, in the order of axis `x`. Taps go by fours, missing ones with no weight, to keep sums in
 * registers. */
static void VARIANT(sample_row)(float *restrict dst, const uint8_t *src, ptrdiff_t src_stride, int skip,
                                const track_axis *x, int count, const track_axis *y, int row, int rows,
                                float *restrict line) {
  for (int first = 0; first < y->taps; first += 4) {
    const uint8_t *from[4];
    float w[4];
    for (int k = 0; k < 4; k++) {
      int tap = first + k < y->taps ? first + k : first;
      from[k] = src + (ptrdiff_t)(y->first + y->index[tap * rows + row]) * skip * src_stride +
                (ptrdiff_t)x->first * skip;
      w[k] = tap == first + k ? y->weight[tap * rows + row] : 0;
    }
    const uint8_t *restrict a = from[0], *restrict b = from[1], *restrict c = from[2], *restrict d = from[3];
    float wa = w[0], wb = w[1], wc = w[2], wd = w[3];
    if (skip > 1)
      for (int i = 0; i < x->used; i++) {
        ptrdiff_t at = (ptrdiff_t)i * skip;
        line[i] = (first ? line[i] : 0) +
                  (((float)a[at] * wa + (float)b[at] * wb) + ((float)c[at] * wc + (float)d[at] * wd));
      }
    else if (first)
      for (int i = 0; i < x->used; i++)
        line[i] += ((float)a[i] * wa + (float)b[i] * wb) + ((float)c[i] * wc + (float)d[i] * wd);
    else
      for (int i = 0; i < x->used; i++)
        line[i] = ((float)a[i] * wa + (float)b[i] * wb) + ((float)c[i] * wc + (float)d[i] * wd);
  }
  /* Picked one by one: gather loads are many times slower on processors with the mitigation of Downfall (gather data
   * sampling). */
  float picked[LONGEST];
  for (int tap = 0; tap < x->taps; tap++) {
    const int32_t *restrict index = x->index + tap * count;
    const float *restrict weight = x->weight + tap * count;
    _Pragma("clang loop vectorize(disable) unroll_count(8)") for (int i = 0; i < count; i++) picked[i] = line[index[i]];
    if (tap)
      SHORT_LOOP for (int i = 0; i < count; i++) dst[i] += picked[i] * weight[i];
    else
      SHORT_LOOP for (int i = 0; i < count; i++) dst[i] = picked[i] * weight[i];
  }
}

void VARIANT(cvk_u8_track_sample)(float *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                  int width, int height, int columns, int rows, const cvk_track_view *view) {
  float line[8 * LONGEST + 2 * MOST_TAPS];
  track_axis x, y;
  int order[LONGEST];
  /* Far larger steps than this are for targets of a thousand pixels; there the box takes every n-th pixel only. */
  double step = view->step_x > view->step_y ? view->step_x : view->step_y;
  int skip = step > 8 ? (step < 8e6 ? (int)ceil(step / 8) : 1000000) : 1;
  int elements = columns + 2, samples_x = elements * CELL, samples_y = rows * CELL;
  /* In phases: all first pixels of the cells, then all second ones...; a cell more on both sides repeats the edge. */
  for (int i = 0; i < samples_x; i++) {
    int pixel = (i % elements - 1) * CELL + i / elements;
    order[i] = pixel < 0 ? 0 : pixel >= columns * CELL ? columns * CELL - 1 : pixel;
  }
  VARIANT(axis_init)(&x, order, samples_x, view->x / skip, view->step_x / skip, (width - 1) / skip + 1);
  for (int i = 0; i < samples_y; i++) order[i] = i;
  VARIANT(axis_init)(&y, order, samples_y, view->y / skip, view->step_y / skip, (height - 1) / skip + 1);
  for (int row = 0; row < samples_y; row++) {
    float *to = (float *)(void *)((char *)dst + row * dst_stride);
    float out[LONGEST];
    VARIANT(sample_row)(out, src, src_stride, skip, &x, samples_x, &y, row, samples_y, line);
    for (int phase = 0; phase < CELL; phase++)
      memcpy(to + (ptrdiff_t)phase * view->phase_stride, out + phase * elements, sizeof(float) * (size_t)elements);
  }
}

/* Adds the bins of one row of pixels to the two rows of cells that it lies between: to `own` by weight `inner`, to
 * `other` by what is left of 1. Bins are `plane` floats apart. Of `values`, cvk_track_row_work(elements) floats are
 * used.
 *
 * Loops over memory of our own go on to the next whole block, so that no scalar rest is left; what comes of the
 * elements behind the last is not used. */
static void VARIANT(add_row)(float *restrict own, float *restrict other, ptrdiff_t plane, float inner,
                             const float *above, const float *here, const float *below, int elements,
                             float *restrict values) {
  static const float cosine[HALF] = {1, 0.8660254038f, 0.5f, 0, -0.5f, -0.8660254038f};
  static const float sine[HALF] = {0, 0.5f, 0.8660254038f, 1, 0.8660254038f, 0.5f};
  const float lobe = 0.8660254038f; /* a bin ends 30 degrees off, where the next one peaks */
  int all = CELL * elements, part = cvk_track_row_part(elements);
  int blocks = cvk_track_blocks(elements), row_blocks = cvk_track_blocks(all);
  float *restrict dx = values + BINS * part, *restrict dy = dx + part, *restrict size = dy + part;
  float outer = 1 - inner;
  /* The neighbours of a phase are the phases beside it; at the ends those of the next cell. The outermost samples are
   * repeated edges without influence on any cell that is kept, so what they take as neighbours does not matter. */
  for (int x = 0; x < elements; x++) dx[x] = here[x + elements] - here[x + (CELL - 1) * elements - 1];
  for (int x = elements; x < (CELL - 1) * elements; x++) dx[x] = here[x + elements] - here[x - elements];
  for (int x = (CELL - 1) * elements; x < all; x++) dx[x] = here[x - (CELL - 1) * elements + 1] - here[x - elements];
  for (int x = 0; x < all; x++) dy[x] = below[x] - above[x];
  for (int x = all; x < row_blocks * CVK_TRACK_BLOCK; x++) dx[x] = dy[x] = 0;
  for (int x = 0; x < row_blocks * CVK_TRACK_BLOCK; x++) size[x] = sqrtf(dx[x] * dx[x] + dy[x] * dy[x]) * lobe;
  /* All directions before the first is summed: what has only just been written cannot be read in other pieces yet. */
  for (int d = 0; d < HALF; d++) {
    float c = cosine[d], s = sine[d];
    float *restrict plus = values + 2 * d * part, *restrict minus = plus + part;
    for (int x = 0; x < row_blocks * CVK_TRACK_BLOCK; x++) {
      float along = dx[x] * c + dy[x] * s;
      float p = along - size[x], m = -along - size[x];
      plus[x] = p > 0 ? p : 0;
      minus[x] = m > 0 ? m : 0;
    }
  }
  for (int bin = 0; bin < BINS; bin++) {
    const float *restrict v0 = values + (2 * (bin % HALF) + bin / HALF) * part;
    const float *restrict v1 = v0 + elements, *restrict v2 = v1 + elements, *restrict v3 = v2 + elements;
    float *restrict to = own + bin * plane, *restrict beside = other + bin * plane;
    /* The near half of a cell's pixels shares with the cell before, the far half with the one behind. */
    for (int x = 0; x < blocks * CVK_TRACK_BLOCK; x++) {
      float sum = ((v0[x] + v3[x]) * 0.625f + (v1[x] + v2[x]) * 0.875f) +
                  ((v0[x + 1] + v3[x - 1]) * 0.375f + (v1[x + 1] + v2[x - 1]) * 0.125f);
      to[x] += sum * inner;
      beside[x] += sum * outer;
    }
  }
}

void VARIANT(cvk_f32_track_cells)(float *dst, ptrdiff_t dst_bin_stride, ptrdiff_t dst_patch_stride, const float *src,
                                  ptrdiff_t src_stride, int columns, int rows, int patches, const float *window,
                                  float *work) {
  int elements = (columns + 2) * patches, line = cvk_track_blocks(elements) * CVK_TRACK_BLOCK, plane = rows * line;
  /* A row of cells beyond the first and the last takes what falls there, so that no row is special. */
  float *histogram = work + line, *energy = work + BINS * (plane + 2 * line), *values = energy + plane;
  ptrdiff_t bin_plane = plane + 2 * line;
  memset(work, 0, sizeof(float) * (size_t)(BINS * bin_plane));
  memset(values, 0, sizeof(float) * (size_t)cvk_track_row_work(elements));
  for (int y = 0; y < rows * CELL; y++) {
    const float *here = (const float *)(const void *)((const char *)src + y * src_stride);
    const float *above = y > 0 ? (const float *)(const void *)((const char *)here - src_stride) : here;
    const float *below = y < rows * CELL - 1 ? (const float *)(const void *)((const char *)here + src_stride) : here;
    int cell = y / CELL, phase = y % CELL, beside = phase < CELL / 2 ? cell - 1 : cell + 1;
    VARIANT(add_row)(histogram + cell * line, histogram + beside * line, bin_plane, track_near[phase], above, here,
                     below, elements, values);
  }
  memset(energy, 0, sizeof(float) * (size_t)plane);
  for (int d = 0; d < HALF; d++) {
    const float *restrict plus = histogram + d * bin_plane, *restrict minus = histogram + (d + HALF) * bin_plane;
    float *restrict sum = energy;
    for (int i = 0; i < plane; i++) sum[i] += (plus[i] + minus[i]) * (plus[i] + minus[i]);
  }
  for (int y = 0; y < rows; y++)
    for (int p = 0; p < patches; p++) {
      float *row = energy + y * line + p * (columns + 2);
      row[0] = row[1];
      row[columns + 1] = row[columns];
    }
  for (int y = 0; y < rows; y++) {
    const float *here = energy + y * line;
    const float *restrict above = y > 0 ? here - line : here;
    const float *restrict below = y < rows - 1 ? here + line : here;
    const float *restrict weight = window + y * elements;
    float *restrict column = values, *restrict scale = column + elements, *restrict to = scale + elements;
    SHORT_LOOP for (int x = 0; x < elements; x++) column[x] = above[x] + here[x] + below[x];
    SHORT_LOOP for (int x = 1; x < elements - 1; x++)
      scale[x] = 1 / sqrtf((column[x - 1] + column[x] + column[x + 1]) * (1.0f / 9) + track_floor);
    scale[0] = scale[elements - 1] = 0;
    for (int bin = 0; bin < BINS; bin++) {
      const float *restrict from = histogram + bin * bin_plane + y * line;
      SHORT_LOOP for (int x = 0; x < elements; x++) {
        float value = from[x] * scale[x];
        to[x] = (value < track_clip ? value : track_clip) * weight[x];
      }
      for (int p = 0; p < patches; p++)
        memcpy((char *)dst + bin * dst_bin_stride + p * dst_patch_stride + y * columns * (ptrdiff_t)sizeof(float),
               to + p * (columns + 2) + 1, sizeof(float) * (size_t)columns);
    }
  }
}

void VARIANT(cvk_f32_track_respond)(float *dst_re, float *dst_im, const float *filter_re, const float *filter_im,
                                    const float *src_re, const float *src_im, int count, int channels) {
  for (int start = 0; start < count; start += BLOCK) {
    int part = count - start < BLOCK ? count - start : BLOCK;
    float re[BLOCK] = {0}, im[BLOCK] = {0};
    for (int c = 0; c < channels; c++) {
      ptrdiff_t at = (ptrdiff_t)c * count + start;
      const float *restrict fr = filter_re + at, *restrict fi = filter_im + at;
      const float *restrict xr = src_re + at, *restrict xi = src_im + at;
      for (int i = 0; i < part; i++) {
        re[i] += fr[i] * xr[i] + fi[i] * xi[i];
        im[i] += fr[i] * xi[i] - fi[i] * xr[i];
      }
    }
    memcpy(dst_re + start, re, sizeof(float) * (size_t)part);
    memcpy(dst_im + start, im, sizeof(float) * (size_t)part);
  }
}

void VARIANT(cvk_f32_track_solve)(float *filter_re, float *filter_im, const float *src_re, const float *src_im,
                                  const float *wanted, int count, int channels, float penalty, float *work) {
  float *restrict energy = work, *restrict re = work + count, *restrict im = work + 2 * count;
  for (int i = 0; i < count; i++) energy[i] = penalty, re[i] = wanted[i], im[i] = 0;
  for (int c = 0; c < channels; c++) {
    const float *restrict fr = filter_re + (ptrdiff_t)c * count, *restrict fi = filter_im + (ptrdiff_t)c * count;
    const float *restrict xr = src_re + (ptrdiff_t)c * count, *restrict xi = src_im + (ptrdiff_t)c * count;
    for (int i = 0; i < count; i++) {
      energy[i] += xr[i] * xr[i] + xi[i] * xi[i];
      re[i] -= xr[i] * fr[i] + xi[i] * fi[i];
      im[i] -= xr[i] * fi[i] - xi[i] * fr[i];
    }
  }
  for (int i = 0; i < count; i++) {
    float scale = 1 / energy[i];
    re[i] *= scale;
    im[i] *= scale;
  }
  for (int c = 0; c < channels; c++) {
    float *restrict fr = filter_re + (ptrdiff_t)c * count, *restrict fi = filter_im + (ptrdiff_t)c * count;
    const float *restrict xr = src_re + (ptrdiff_t)c * count, *restrict xi = src_im + (ptrdiff_t)c * count;
    for (int i = 0; i < count; i++) {
      fr[i] += xr[i] * re[i] - xi[i] * im[i];
      fi[i] += xr[i] * im[i] + xi[i] * re[i];
    }
  }
}

void VARIANT(cvk_f32_track_blend)(float *dst, const float *src, int count, float rate) {
  float *restrict to = dst;
  const float *restrict from = src;
  for (int i = 0; i < count; i++) to[i] += (from[i] - to[i]) * rate;
}

void VARIANT(cvk_f32_track_weigh)(float *dst, const float *weight, int count, int planes) {
  for (int p = 0; p < planes; p++) {
    float *restrict to = dst + (ptrdiff_t)p * count;
    const float *restrict by = weight;
    for (int i = 0; i < count; i++) to[i] *= by[i];
  }
}

void VARIANT(cvk_f32_track_dot)(float *dst_re, float *dst_im, const float *a_re, const float *a_im, const float *b_re,
                                const float *b_im, int count, int rows) {
  for (int row = 0; row < rows; row++) {
    const float *restrict ar = a_re + (ptrdiff_t)row * count, *restrict ai = a_im + (ptrdiff_t)row * count;
    const float *restrict br = b_re + (ptrdiff_t)row * count, *restrict bi = b_im + (ptrdiff_t)row * count;
    float re[SUMS] = {0}, im[SUMS] = {0};
    int i = 0;
    for (; i + SUMS <= count; i += SUMS)
      for (int k = 0; k < SUMS; k++) {
        re[k] += ar[i + k] * br[i + k] + ai[i + k] * bi[i + k];
        im[k] += ar[i + k] * bi[i + k] - ai[i + k] * br[i + k];
      }
    for (int k = 0; i < count; i++, k++) {
      re[k] += ar[i] * br[i] + ai[i] * bi[i];
      im[k] += ar[i] * bi[i] - ai[i] * br[i];
    }
    for (int k = 1; k < SUMS; k++) re[0] += re[k], im[0] += im[k];
    dst_re[row] = re[0];
    dst_im[row] = im[0];
  }
}
