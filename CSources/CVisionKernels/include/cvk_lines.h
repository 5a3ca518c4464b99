/* Parameters of the kernels that find the edges of straight lines. */
#ifndef CVK_LINES_H
#define CVK_LINES_H

#include <stddef.h>
#include <stdint.h>

/* A gradient that says all: that of a sharp edge of ten grey levels. */
#define CVK_LINE_FULL_GRADIENT 480

/* A straight piece of an edge: at column t it is at row start + slope * t. */
typedef struct cvk_line_segment {
  float start, slope;
  int32_t first, last; /* columns, both included */
  int32_t count;       /* columns that have an edge on it */
  int32_t weight;      /* sum of their gradients, each counted as CVK_LINE_FULL_GRADIENT at most */
} cvk_line_segment;

/* Elements of scratch memory for gradients of an image of that width. */
static inline size_t cvk_line_gradient_work(int width) { return 2 * ((size_t)width + 4); }

#endif
