/* Whether the runs behind an edge fit a pattern. */
#ifndef CVK_RUN_PATTERNS_H
#define CVK_RUN_PATTERNS_H

#include <stdlib.h>

#include "cvk_rows.h"

static inline int fits_pattern(const int32_t *edges, const cvk_run_pattern *pattern) {
  const int32_t sum = edges[pattern->runs] - edges[0];
  if (sum < pattern->least) return 0;
  for (int run = 0; run < pattern->runs; run++) {
    const int32_t off = abs(pattern->modules * (edges[run + 1] - edges[run]) - pattern->width[run] * sum);
    if (pattern->unit * off > pattern->slope[run] * sum + pattern->offset[run]) return 0;
  }
  return 1;
}

#endif
