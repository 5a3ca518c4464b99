/* Constants and parameters of the correlation trackers' kernels. */
#ifndef CVK_TRACKING_H
#define CVK_TRACKING_H

#include <stddef.h>
#include <stdint.h>

#define CVK_TRACK_CELL 4          /* pixels a cell, along both axes */
#define CVK_TRACK_BINS 12         /* directions of the gradient, 30 degrees apart, light-to-dark told from dark-to-light */
#define CVK_TRACK_MOST_CELLS 64   /* of a patch, along both axes */

/* Where the samples of a patch lie in the image: sample (i, j) at (x + i * step_x, y + j * step_y), in pixels, the centre
 * of the first pixel being (0, 0). `phase_stride` counts floats. */
typedef struct cvk_track_view {
  double x, y, step_x, step_y;
  int32_t phase_stride;
} cvk_track_view;

#define CVK_TRACK_COLOURS 4096     /* 16 levels of red, green and blue */
#define CVK_TRACK_NAMES 12         /* channels that describe a colour: 11 names, brightness */
#define CVK_TRACK_MOST_POINTS 128  /* of a view of colours, along both axes */

/* Where the points of a view of colours lie in the image: point (i, j) in the block of pixels that begins at
 * (x + i * step, y + j * step), rounded down. Components are at these bytes of a pixel. */
typedef struct cvk_track_colour_view {
  double x, y, step;
  int32_t pixel_bytes, red, green, blue;
} cvk_track_colour_view;

/* Floats of work memory that cvk_f32_track_cells needs. */
static inline size_t cvk_track_cells_work(int columns, int rows, int patches) {
  size_t elements = (size_t)(columns + 2) * (size_t)patches, cells = elements * (size_t)rows;
  size_t histograms = CVK_TRACK_BINS * (cells + 2 * elements);
  return histograms + cells + 2 * CVK_TRACK_CELL * (elements + 2) + 3 * CVK_TRACK_CELL * elements;
}

#endif
