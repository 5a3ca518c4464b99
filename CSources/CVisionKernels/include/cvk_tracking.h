/* Constants and parameters of the correlation trackers' kernels. */
#ifndef CVK_TRACKING_H
#define CVK_TRACKING_H

#include <stddef.h>
#include <stdint.h>

#define CVK_TRACK_CELL 4          /* pixels a cell, along both axes */
/* directions of the gradient, 30 degrees apart, light-to-dark told from dark-to-light */
#define CVK_TRACK_BINS 12
#define CVK_TRACK_MOST_CELLS 64   /* of a patch, along both axes */

/* Where the samples of a patch lie in the image: sample (i, j) at (x + i * step_x, y + j * step_y), in pixels, the
 * centre of the first pixel being (0, 0). `phase_stride` counts floats. */
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

#define CVK_TRACK_BLOCK 16  /* floats that loops over scratch memory take at a time */

/* A number of floats in whole blocks. */
static inline int cvk_track_blocks(int count) { return (count + CVK_TRACK_BLOCK - 1) / CVK_TRACK_BLOCK; }

/* Floats of one direction of a row of pixels with CVK_TRACK_CELL * elements samples: whole blocks, and one to read
 * on. */
static inline int cvk_track_row_part(int elements) {
  return (cvk_track_blocks(CVK_TRACK_CELL * elements) + 1) * CVK_TRACK_BLOCK;
}

/* Floats of scratch memory for a row of pixels: all directions, both slopes and their length. */
static inline int cvk_track_row_work(int elements) { return (CVK_TRACK_BINS + 3) * cvk_track_row_part(elements); }

/* Floats of scratch memory that cvk_f32_track_cells needs. */
static inline size_t cvk_track_cells_work(int columns, int rows, int patches) {
  int elements = (columns + 2) * patches;
  size_t line = (size_t)cvk_track_blocks(elements) * CVK_TRACK_BLOCK, cells = line * (size_t)rows;
  return CVK_TRACK_BINS * (cells + 2 * line) + cells + (size_t)cvk_track_row_work(elements);
}

#endif
