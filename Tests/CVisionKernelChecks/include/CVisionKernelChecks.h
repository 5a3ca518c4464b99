/* Runs the checks of every kernel in kernels.inc: each variant that this machine can execute, against scalar. */
#ifndef CVISIONKERNELCHECKS_H
#define CVISIONKERNELCHECKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cvk_check_totals {
  int kernels; /* kernels in the list that the filter let through */
  int passed;  /* variants (scalar included) without a failure */
  int failed;  /* variants with at least one */
  int lacking; /* variants that were built, but that this machine cannot run */
} cvk_check_totals;

/* Runs the checks whose kernel name contains `filter` (NULL: all), each with `cases` random cases, and writes a report
 * of at most `capacity` bytes, its final zero included: which variants ran, which the machine lacks, what failed. The
 * same seed gives the same cases. */
cvk_check_totals cvk_run_checks(const char *filter, uint64_t seed, int cases, char *report, size_t capacity);

#endif
