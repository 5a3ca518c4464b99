/* The checks as a program, for Scripts/check-kernels.sh: [--filter TEXT] [--seed N] [--cases N]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CVisionKernelChecks.h"

int main(int count, char **arguments) {
  const char *filter = 0;
  uint64_t seed = 1;
  int cases = 60;
  for (int i = 1; i < count; i += 2) {
    const char *value = i + 1 < count ? arguments[i + 1] : 0;
    if (value && !strcmp(arguments[i], "--filter")) filter = value;
    else if (value && !strcmp(arguments[i], "--seed")) seed = strtoull(value, 0, 10);
    else if (value && !strcmp(arguments[i], "--cases")) cases = atoi(value);
    else {
      fprintf(stderr, "usage: %s [--filter TEXT] [--seed N] [--cases N]\n", arguments[0]);
      return 2;
    }
  }
  static char report[1 << 20];
  cvk_check_totals totals = cvk_run_checks(filter, seed, cases, report, sizeof report);
  fputs(report, stdout);
  printf("%d passed, %d failed\n", totals.passed, totals.failed);
  return totals.failed ? 1 : totals.kernels ? 0 : 2;
}
