/* Checks of the kernels of the trackers' colours: all variants give the same bits as scalar. */
#include <math.h>

#include "check.h"

static float *floats(cvk_buffer buffer) { return (float *)(void *)buffer.bytes; }
static uint16_t *colours(cvk_buffer buffer) { return (uint16_t *)(void *)buffer.bytes; }
static cvk_buffer result(cvk_check *check, int count) { return cvk_result(check, count * 4, 1, 4); }
static cvk_buffer between(cvk_check *check, int count, float low, float high) {
  return cvk_float_source(check, count, 1, low, high);
}
/* Any two bytes are a valid colour: the upper bits are ignored. */
static cvk_buffer view(cvk_check *check, int side) { return cvk_source(check, side * 2, side, 2); }

static cvk_buffer copy(cvk_check *check, cvk_buffer from) {
  cvk_buffer to = cvk_result_like(check, from);
  for (int i = 0; i < from.row_bytes; i++) to.bytes[i] = from.bytes[i];
  return to;
}

static double odd(cvk_check *check, double usual) {
  switch (cvk_between(check, 0, 19)) {
    case 0: return NAN;
    case 1: return cvk_between(check, 0, 1) ? INFINITY : -INFINITY;
    case 2: return cvk_between(check, 0, 1) ? 1e300 : -1e300;
    default: return usual;
  }
}

/* Returns whether a point is the mean of its block in each component; the kernel computes it by sums of rows. */
static int is_mean(const uint8_t *src, ptrdiff_t stride, int width, int height, const cvk_track_colour_view *view,
                   int i, int j, unsigned colour) {
  int block = (int)(view->step * 0.5 + 0.5), taps = block < 1 ? 1 : block > 4 ? 4 : block;
  int spacing = block < 1 ? 1 : block / taps;
  int left = (int)floor(view->x + i * view->step), top = (int)floor(view->y + j * view->step);
  unsigned sums[3] = {0, 0, 0}, count = (unsigned)(taps * taps);
  left = left < 0 ? 0 : left > width - 1 ? width - 1 : left;
  top = top < 0 ? 0 : top > height - 1 ? height - 1 : top;
  for (int v = 0; v < taps; v++)
    for (int u = 0; u < taps; u++) {
      int x = left + u * spacing, y = top + v * spacing;
      x = x > width - 1 ? width - 1 : x;
      y = y > height - 1 ? height - 1 : y;
      const uint8_t *pixel = src + y * stride + (ptrdiff_t)x * view->pixel_bytes;
      sums[0] += pixel[view->red];
      sums[1] += pixel[view->green];
      sums[2] += pixel[view->blue];
    }
  return colour == (sums[0] / count >> 4 << 8 | sums[1] / count >> 4 << 4 | sums[2] / count >> 4);
}

void cvk_check_cvk_u8_track_colours(cvk_check *check) {
  while (cvk_next_case(check)) {
    static const int formats[4][4] = {{1, 0, 0, 0}, {3, 0, 1, 2}, {4, 2, 1, 0}, {4, 1, 2, 3}};
    const int *format = formats[cvk_between(check, 0, 3)];
    /* The rows of wide views are too long to be summed as a whole. */
    int wide = cvk_between(check, 0, 9) == 0, height = cvk_size(check, wide ? 12 : 90);
    int width = wide ? cvk_between(check, 2000, 9000) : cvk_size(check, 120),
        side = cvk_size(check, CVK_TRACK_MOST_POINTS);
    cvk_buffer src = cvk_source(check, width * format[0], height, 1);
    cvk_track_colour_view view = {odd(check, (double)cvk_float_between(check, -200, 200)),
                                  odd(check, (double)cvk_float_between(check, -200, 200)),
                                  odd(check, (double)cvk_float_between(
                                                 check, 0, cvk_between(check, 0, 3) ? wide ? 400 : 8 : 60)),
                                  format[0], format[1], format[2], format[3]};
    cvk_buffer wanted = cvk_result(check, side * 2, side, 2);
    cvk_u8_track_colours__scalar(colours(wanted), wanted.stride, src.bytes, src.stride, width, height, side, &view);
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side; x++)
        if (*(uint16_t *)(void *)(wanted.bytes + y * wanted.stride + 2 * x) >= CVK_TRACK_COLOURS)
          cvk_expect(check, 0, "a point has no colour");
    if (fabs(view.x) < 1e4 && fabs(view.y) < 1e4 && fabs(view.step) < 1e4)
      for (int n = 0; n < 20; n++) {
        int i = cvk_between(check, 0, side - 1), j = cvk_between(check, 0, side - 1);
        unsigned colour = *(uint16_t *)(void *)(wanted.bytes + j * wanted.stride + 2 * i);
        cvk_expect(check, is_mean(src.bytes, src.stride, width, height, &view, i, j, colour),
                   "a point is not the mean of its block");
      }
    CVK_EACH_VARIANT(check, cvk_u8_track_colours, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(colours(got), got.stride, src.bytes, src.stride, width, height, side, &view);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_track_names(cvk_check *check) {
  while (cvk_next_case(check)) {
    int cells = cvk_size(check, CVK_TRACK_MOST_POINTS / 2), plane = cells * cells;
    cvk_buffer src = view(check, 2 * cells), window = between(check, plane, 0, 1);
    cvk_buffer names = between(check, CVK_TRACK_COLOURS * CVK_TRACK_NAMES, 0, 1);
    cvk_buffer wanted = result(check, plane * CVK_TRACK_NAMES);
    cvk_f32_track_names__scalar(floats(wanted), plane * 4, colours(src), src.stride, cells, floats(names),
                                floats(window));
    CVK_EACH_VARIANT(check, cvk_f32_track_names, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), plane * 4, colours(src), src.stride, cells, floats(names), floats(window));
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u16_track_histograms(cvk_check *check) {
  while (cvk_next_case(check)) {
    int side = cvk_size(check, CVK_TRACK_MOST_POINTS);
    cvk_buffer src = view(check, side);
    cvk_buffer before = between(check, CVK_TRACK_COLOURS, 0, 1), beyond = between(check, CVK_TRACK_COLOURS, 0, 1);
    float x = cvk_float_between(check, 0, (float)side), y = cvk_float_between(check, 0, (float)side);
    float rate = cvk_float_between(check, 0, 1);
    cvk_buffer target = copy(check, before), around = copy(check, beyond);
    cvk_u16_track_histograms__scalar(floats(target), floats(around), colours(src), src.stride, side, x, y, x * 1.5f,
                                     y * 1.5f, rate);
    CVK_EACH_VARIANT(check, cvk_u16_track_histograms, variant) {
      cvk_buffer got_target = copy(check, before), got_around = copy(check, beyond);
      variant(floats(got_target), floats(got_around), colours(src), src.stride, side, x, y, x * 1.5f, y * 1.5f, rate);
      cvk_expect_equal(check, target, got_target);
      cvk_expect_equal(check, around, got_around);
    }
  }
}

void cvk_check_cvk_u16_track_likelihood(cvk_check *check) {
  while (cvk_next_case(check)) {
    int side = cvk_size(check, CVK_TRACK_MOST_POINTS);
    cvk_buffer src = view(check, side);
    cvk_buffer target = between(check, CVK_TRACK_COLOURS, 0, 1), around = between(check, CVK_TRACK_COLOURS, 0, 1);
    cvk_buffer wanted = cvk_result(check, (side + 1) * 4, side + 1, 4);
    cvk_u16_track_likelihood__scalar(floats(wanted), wanted.stride, colours(src), src.stride, side, floats(target),
                                     floats(around));
    CVK_EACH_VARIANT(check, cvk_u16_track_likelihood, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(floats(got), got.stride, colours(src), src.stride, side, floats(target), floats(around));
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_f32_track_merge(cvk_check *check) {
  while (cvk_next_case(check)) {
    int cells = cvk_size(check, CVK_TRACK_MOST_POINTS / 2), side = 2 * cells;
    cvk_buffer integral = cvk_float_source(check, side + 1, side + 1, 0, (float)(side * side));
    cvk_buffer before = between(check, cells * cells, -1, 1), wanted = copy(check, before);
    float width = (float)odd(check, (double)cvk_float_between(check, 0, (float)(2 * side)));
    float height = (float)odd(check, (double)cvk_float_between(check, 0, (float)(2 * side)));
    cvk_f32_track_merge__scalar(floats(wanted), floats(integral), integral.stride, cells, width, height, 0.7f, 0.3f);
    CVK_EACH_VARIANT(check, cvk_f32_track_merge, variant) {
      cvk_buffer got = copy(check, before);
      variant(floats(got), floats(integral), integral.stride, cells, width, height, 0.7f, 0.3f);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
