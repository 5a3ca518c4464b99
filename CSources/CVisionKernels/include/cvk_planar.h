/* Parameters of the kernels that align planar patches under perspective. */
#ifndef CVK_PLANAR_H
#define CVK_PLANAR_H

#include <stddef.h>
#include <stdint.h>

/* Patches have a multiple of this many columns and rows; light is modelled by squares of this side. */
#define CVK_PLANAR_CELL 16
#define CVK_PLANAR_MOST 256 /* columns or rows of a patch */

/* Sums of a cell: samples within the image; of these the image, the template, their squares and their product, all grey
 * values less 128. */
#define CVK_PLANAR_CELL_SUMS 6

/* Moments of an alignment step, sums of w * q * x^i * y^j with x and y from -1 to 1 over the patch: for q = aa, ab and
 * bb (a and b being the gradient along x and y) those with i + j <= 4, then for q = ea and eb (e being the residual)
 * those with i + j <= 2; in each group by rising j, then by rising i. */
#define CVK_PLANAR_MOMENTS (3 * 15 + 2 * 6)

/* Sample (i, j) of a patch is the image at column (m[0] i + m[1] j + m[2]) / w and row (m[3] i + m[4] j + m[5]) / w
 * with w = m[6] i + m[7] j + m[8]; whole numbers are the centres of pixels. Samples with w <= 0 lie outside. */
typedef struct cvk_planar_map {
  double m[9];
} cvk_planar_map;

#endif
