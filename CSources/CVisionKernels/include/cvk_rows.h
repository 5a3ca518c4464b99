/* Patterns of runs in rows of black and white pixels. */
#ifndef CVK_ROWS_H
#define CVK_ROWS_H

#include <stdint.h>

enum { cvk_most_runs = 8 };

/* The lengths of neighbouring runs. A run of a sequence that is `sum` pixels long fits if
 * unit * |modules * length - width * sum| <= slope * sum + offset: lengths are compared with `width` of `modules` parts
 * of the sum. */
typedef struct cvk_run_pattern {
  /* At most cvk_most_runs. */
  int32_t runs;
  int32_t modules;
  int32_t unit;
  /* The shortest sum. */
  int32_t least;
  int32_t width[cvk_most_runs], slope[cvk_most_runs], offset[cvk_most_runs];
} cvk_run_pattern;

#endif
