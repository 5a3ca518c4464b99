/* Parameters of the kernels of image filters. */
#ifndef CVK_FILTERS_H
#define CVK_FILTERS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Where pixel x of a row of the result of a projective warp comes from: source column (u + du x) / (w + dw x), row
 * (v + dv x) / (w + dw x); whole numbers are the centres of pixels. The denominator is positive along the row. */
typedef struct cvk_projective_row {
  double u, v, w, du, dv, dw;
} cvk_projective_row;

#ifdef __cplusplus
}
#endif

#endif
