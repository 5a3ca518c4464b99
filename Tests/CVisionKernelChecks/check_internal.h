/* The state of a run, for check.c and buffers.c. */
#ifndef CVK_CHECK_INTERNAL_H
#define CVK_CHECK_INTERNAL_H

#include "check.h"

enum { CVK_SLOTS = 64 };

struct cvk_check {
  const cvk_kernel_info *kernel;
  uint64_t state; /* of the random number generator */
  int cases, number;
  enum cvk_isa isa; /* the current variant */
  int iterating;
  int compared[CVK_ISA_COUNT], failures[CVK_ISA_COUNT];
  char *report;
  size_t report_capacity, report_used;
  /* Memory of buffers: mapped once between two pages without access, reused by later cases. */
  struct { uint8_t *bytes; size_t size; } slot[CVK_SLOTS];
  int slots_used;
};

void cvk_report(cvk_check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cvk_free_buffers(cvk_check *check);
void cvk_unmap_buffers(cvk_check *check);

#endif
