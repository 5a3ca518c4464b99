/* Plans of the Fourier transforms: factors and twiddle factors. The order of the radices is the same on all instruction
 * sets, so that a plan does not depend on the set in use. */
#include "internal.h"

#include <math.h>

enum { max_length = 16384, lanes_at_most = 16 };
static const double pi = 3.14159265358979323846;

/* Splits the length into radices; returns how many, or 0 if other primes than 2, 3 and 5 divide it. Length 1 has none
 * either but *ok is set. */
static int radices(int length, int32_t *radix, int *ok) {
  int twos = 0, count = 0;
  *ok = 0;
  if (length < 1 || length > max_length) return 0;
  while (length % 2 == 0) length /= 2, twos++;
  /* As few passes as possible: eights, and fours or a single two for what is left. */
  int fours = twos == 1 ? 0 : twos % 3 == 1 ? 2 : twos % 3 == 2 ? 1 : 0;
  int eights = twos == 1 ? 0 : (twos - 2 * fours) / 3;
  while (eights-- > 0) radix[count++] = 8;
  while (fours-- > 0) radix[count++] = 4;
  while (length % 5 == 0) length /= 5, radix[count++] = 5;
  while (length % 3 == 0) length /= 3, radix[count++] = 3;
  if (twos == 1) radix[count++] = 2;
  if (length != 1) return 0;
  *ok = 1;
  return count;
}

/* Fills the axis and, where table is given, its twiddle factors from table[next] on; returns the next free index. */
static int fill_axis(cvk_fft_axis *axis, int length, float *table, int next) {
  int ok, remaining = length;
  axis->length = length;
  axis->stages = radices(length, axis->radix, &ok);
  for (int stage = 0; stage < axis->stages; stage++) {
    int radix = axis->radix[stage], groups = remaining / radix;
    axis->twiddles[stage] = next;
    for (int p = 1; p < groups; p++) {
      for (int j = 1; j < radix; j++, next += 2) {
        if (!table) continue;
        double angle = -2.0 * pi * (double)(j * (int64_t)p) / remaining;
        table[next] = (float)cos(angle);
        table[next + 1] = (float)sin(angle);
      }
    }
    remaining = groups;
  }
  return next;
}

size_t cvk_fft_plan_size(int width, int height) {
  int32_t radix[12];
  int ok;
  if (width != 0 && (width < 4 || width % 2 != 0 || width > max_length)) return 0;
  if (height < 2) return 0;
  radices(height, radix, &ok);
  if (!ok) return 0;
  if (width != 0) radices(width / 2, radix, &ok);
  if (!ok) return 0;
  cvk_fft_axis axis;
  int floats = fill_axis(&axis, height, NULL, 0);
  if (width != 0) floats = fill_axis(&axis, width / 2, NULL, floats) + 2 * (width / 4 + 1);
  return sizeof(cvk_fft_plan) + (size_t)floats * sizeof(float);
}

void cvk_fft_plan_init(cvk_fft_plan *plan, int width, int height) {
  plan->width = width;
  plan->height = height;
  plan->half_width = width > 0 ? width / 2 + 1 : 0;
  int next = fill_axis(&plan->column, height, plan->table, 0);
  plan->real_twiddles = next;
  if (width == 0) {
    plan->row.length = plan->row.stages = 0;
    return;
  }
  next = fill_axis(&plan->row, width / 2, plan->table, next);
  plan->real_twiddles = next;
  for (int k = 0; k <= width / 4; k++) {
    double angle = 2.0 * pi * k / width;
    plan->table[next + 2 * k] = (float)(0.5 * cos(angle));
    plan->table[next + 2 * k + 1] = (float)(0.5 * sin(angle));
  }
}

size_t cvk_fft_work_size(const cvk_fft_plan *plan) {
  size_t length = (size_t)(plan->row.length > plan->column.length ? plan->row.length : plan->column.length);
  /* Two scratch columns of complex vectors, and a cache line to align them. */
  return 2 * length * 2 * lanes_at_most * sizeof(float) + 64;
}

int cvk_fft_good_length(int length, int even) {
  int32_t radix[12];
  int ok;
  if (length < (even ? 4 : 2)) length = even ? 4 : 2;
  for (; length <= max_length; length++) {
    if (even && length % 2 != 0) continue;
    radices(length, radix, &ok);
    if (ok) return length;
  }
  return 0;
}
