/* Parameters of the kernels that follow the borders of regions. */
#ifndef CVK_CONTOURS_H
#define CVK_CONTOURS_H

#include <stddef.h>
#include <stdint.h>

/* A border between a region and what surrounds it, or a hole in it. */
typedef struct cvk_contour {
  uint32_t first;  /* index of the first of its points */
  uint32_t count;  /* of points */
  int32_t parent;  /* the border around it, or -1; a parent comes before its children */
  int32_t is_hole; /* whether it is the border of a hole */
} cvk_contour;

/* What the kernels found: more than there was memory for if a number exceeds the capacity. */
typedef struct cvk_contour_totals {
  uint64_t contours, points;
} cvk_contour_totals;

/* The distance between rows of the padded image and of the labels, in elements, and the number of their rows. */
static inline ptrdiff_t cvk_contour_stride(int width) { return ((ptrdiff_t)width + 3 + 15) & ~(ptrdiff_t)15; }
static inline int cvk_contour_rows(int height) { return height + 2; }

#endif
