/* Checks every kernel in kernels.inc: each variant that this machine supports, against scalar. */
#ifndef CVISIONKERNELCHECKS_H
#define CVISIONKERNELCHECKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cvk_check_totals {
  int kernels; /* kernels that the filter selects */
  int passed;  /* variants (scalar included) without a failure */
  int failed;  /* variants with at least one */
  int unsupported; /* variants that this machine does not support */
} cvk_check_totals;

/* Runs the checks whose kernel name contains `filter` (NULL: all), each with `cases` random cases, and writes a report
 * of at most `capacity` bytes, including the final zero: the variants that ran, those not supported, and failures. The
 * same seed gives the same cases. */
cvk_check_totals cvk_run_checks(const char *filter, uint64_t seed, int cases, char *report, size_t capacity);

#endif
