/* Runs the checks, counts the results, writes the report. Buffers and comparisons: buffers.c. */
#include "check_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "CVisionKernelChecks.h"

#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) void cvk_check_##name(cvk_check *check);
#include "kernels.inc"
#undef CVK_KERNEL

/* In the order of the list, hence in the order of cvk_kernel_list. */
static void (*const checks[])(cvk_check *check) = {
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) cvk_check_##name,
#include "kernels.inc"
#undef CVK_KERNEL
    0,
};

void cvk_report(cvk_check *check, const char *format, ...) {
  if (check->report_used + 1 >= check->report_capacity) return;
  va_list arguments;
  va_start(arguments, format);
  size_t room = check->report_capacity - check->report_used;
  int written = vsnprintf(check->report + check->report_used, room, format, arguments);
  va_end(arguments);
  if (written > 0) check->report_used += (size_t)written < room ? (size_t)written : room - 1;
}

int cvk_next_case(cvk_check *check) {
  cvk_free_buffers(check);
  check->isa = CVK_ISA_SCALAR;
  check->iterating = 0;
  return ++check->number < check->cases;
}

int cvk_case(const cvk_check *check) { return check->number; }

static int can_run(enum cvk_isa isa) {
  return isa == CVK_ISA_SCALAR || (isa == CVK_ISA_NEON) == (cvk_isa_of_machine() == CVK_ISA_NEON)
             ? isa <= cvk_isa_of_machine()
             : 0;
}

void (*cvk_next_variant(cvk_check *check))(void) {
  int isa = check->iterating ? (int)check->isa + 1 : 0;
  for (; isa < CVK_ISA_COUNT; isa++) {
    if (!check->kernel->variant[isa] || !can_run((enum cvk_isa)isa)) continue;
    check->iterating = 1;
    check->isa = (enum cvk_isa)isa;
    return check->kernel->variant[isa];
  }
  check->iterating = 0;
  check->isa = CVK_ISA_SCALAR;
  return 0;
}

uint64_t cvk_random(cvk_check *check) { /* splitmix64 */
  uint64_t z = check->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int cvk_between(cvk_check *check, int low, int high) {
  return (int)(low + (int64_t)(cvk_random(check) % (uint64_t)((int64_t)high - low + 1)));
}

float cvk_float_between(cvk_check *check, float low, float high) {
  float t = (float)(cvk_random(check) >> 40) / (float)((1 << 24) - 1);
  return low * (1 - t) + high * t;
}

int cvk_size(cvk_check *check, int most) {
  int size = cvk_between(check, 1, most);
  switch (cvk_between(check, 0, 7)) {
  case 0: size = 1; break;
  case 1: size = (1 << cvk_between(check, 0, 12)) + cvk_between(check, -1, 1); break;
  default: break;
  }
  return size < 1 ? 1 : size > most ? most : size;
}

void cvk_expect(cvk_check *check, int condition, const char *what) {
  check->compared[check->isa]++;
  if (condition) return;
  if (check->failures[check->isa]++ < 3)
    cvk_report(check, "  %s %s, case %d: %s\n", check->kernel->name, cvk_isa_name(check->isa), check->number, what);
}

/* FNV-1a: a kernel's cases do not depend on the other kernels. */
static uint64_t seed_of(const char *name, uint64_t seed) {
  uint64_t hash = 0xCBF29CE484222325u ^ seed;
  for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 0x100000001B3u;
  return hash;
}

cvk_check_totals cvk_run_checks(const char *filter, uint64_t seed, int cases, char *report, size_t capacity) {
  cvk_check_totals totals = {0, 0, 0, 0};
  cvk_check check = {.report = report, .report_capacity = capacity, .cases = cases};
  if (capacity) report[0] = 0;
  cvk_report(&check, "machine: %s\n", cvk_isa_name(cvk_isa_of_machine()));

  int count = 0;
  const cvk_kernel_info *kernels = cvk_kernel_list(&count);
  for (int k = 0; k < count; k++) {
    if (filter && !strstr(kernels[k].name, filter)) continue;
    check.kernel = &kernels[k];
    check.state = seed_of(kernels[k].name, seed);
    check.number = -1;
    check.isa = CVK_ISA_SCALAR;
    check.iterating = 0;
    memset(check.compared, 0, sizeof check.compared);
    memset(check.failures, 0, sizeof check.failures);
    checks[k](&check);
    cvk_free_buffers(&check);

    totals.kernels++;
    cvk_report(&check, "%-36s", kernels[k].name);
    for (int isa = 0; isa < CVK_ISA_COUNT; isa++) {
      if (!kernels[k].variant[isa]) continue;
      const char *name = cvk_isa_name((enum cvk_isa)isa);
      if (!can_run((enum cvk_isa)isa)) {
        totals.unsupported++;
        cvk_report(&check, " %s:unsupported", name);
      } else if (check.failures[isa]) {
        totals.failed++;
        cvk_report(&check, " %s:FAILED(%d of %d)", name, check.failures[isa], check.compared[isa]);
      } else if (!check.compared[isa]) { /* a check that compares nothing must not pass */
        totals.failed++;
        cvk_report(&check, " %s:NOT-COMPARED", name);
      } else {
        totals.passed++;
        cvk_report(&check, " %s:ok", name);
      }
    }
    cvk_report(&check, "\n");
  }
  cvk_unmap_buffers(&check);
  cvk_report(&check, "%d kernels; variants: %d passed, %d failed, %d not supported by this machine\n", totals.kernels,
             totals.passed, totals.failed, totals.unsupported);
  return totals;
}
