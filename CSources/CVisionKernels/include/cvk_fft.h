/* Plans of the Fourier transforms: which sizes there are, and the constants that a transform of one size needs. */
#ifndef CVK_FFT_H
#define CVK_FFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The transform along one axis: radices in the order in which they are applied, and where the twiddle factors of each
 * of them start in the plan's table. */
typedef struct cvk_fft_axis {
  int32_t length;
  int32_t stages;
  int32_t radix[12];
  int32_t twiddles[12];
} cvk_fft_axis;

/* A plan is one block of memory without pointers: it may be moved, and shared by any number of threads once made.
 *
 * A two-dimensional plan (width > 0) transforms real images of width x height. A plan of columns (width 0) transforms
 * complex columns of `height` elements. */
typedef struct cvk_fft_plan {
  int32_t width;
  int32_t height;
  int32_t half_width; /* width / 2 + 1 columns of the half spectrum; 0 for a plan of columns */
  int32_t real_twiddles; /* where the constants start that split a packed real row */
  cvk_fft_axis row; /* complex, of width / 2 elements */
  cvk_fft_axis column;
  float table[];
} cvk_fft_plan;

/* Bytes of the plan, or 0 if there is none for the size. Sizes are products of 2, 3 and 5, at most 16384; the width is
 * 0 or even and at least 4, the height at least 2. */
size_t cvk_fft_plan_size(int width, int height);

/* Fills a plan of cvk_fft_plan_size(width, height) bytes, aligned to 8 or better. */
void cvk_fft_plan_init(cvk_fft_plan *plan, int width, int height);

/* Bytes of scratch memory that a transform with this plan needs; align it to 64 for speed. */
size_t cvk_fft_work_size(const cvk_fft_plan *plan);

/* The smallest length that a plan can have and that is at least `length` (and even if asked for), or 0 if there is
 * none. */
int cvk_fft_good_length(int length, int even);

#ifdef __cplusplus
}
#endif

#endif
