/* The dispatch table: one function pointer a kernel, filled once at load in ascending order of instruction sets, and
 * read-only from then on, so calls need no lock. */
#include "internal.h"

static struct {
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) void(*name) parameters;
#include "kernels.inc"
#undef CVK_KERNEL
  int unused; /* a struct must not be empty */
} table = {
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) .name = name##__scalar,
#include "kernels.inc"
#undef CVK_KERNEL
    .unused = 0,
};

__attribute__((constructor)) static void cvk_fill_table(void) {
  enum cvk_isa isa = cvk_isa_in_use();
#if CVK_X86
  if (isa >= CVK_ISA_AVX2) {
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) CVK_IF(avx2, table.name = name##__avx2;)
#include "kernels.inc"
#undef CVK_KERNEL
  }
  if (isa >= CVK_ISA_AVX512) {
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) CVK_IF(avx512, table.name = name##__avx512;)
#include "kernels.inc"
#undef CVK_KERNEL
  }
  if (isa >= CVK_ISA_AVX512VNNI) {
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon)
#define CVK_KERNEL_VNNI(name, parameters, arguments, avx2, avx512, vnni, neon) \
  CVK_IF(vnni, table.name = name##__avx512vnni;)
#include "kernels.inc"
#undef CVK_KERNEL_VNNI
#undef CVK_KERNEL
  }
#elif CVK_ARM
  if (isa == CVK_ISA_NEON) {
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) CVK_IF(neon, table.name = name##__neon;)
#include "kernels.inc"
#undef CVK_KERNEL
  }
#else
  (void)isa;
#endif
}

#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) \
  void name parameters { table.name arguments; }
#include "kernels.inc"
#undef CVK_KERNEL

typedef void (*any_function)(void);
#if CVK_X86
#define CVK_X86_VARIANT(flag, function) CVK_IF_ELSE_NULL(flag, function)
#define CVK_ARM_VARIANT(flag, function) 0
#elif CVK_ARM
#define CVK_X86_VARIANT(flag, function) 0
#define CVK_ARM_VARIANT(flag, function) CVK_IF_ELSE_NULL(flag, function)
#else
#define CVK_X86_VARIANT(flag, function) 0
#define CVK_ARM_VARIANT(flag, function) 0
#endif
#define CVK_IF_ELSE_NULL_0(function) 0
#define CVK_IF_ELSE_NULL_1(function) (any_function) function
#define CVK_IF_ELSE_NULL(flag, function) CVK_IF_ELSE_NULL_##flag(function)

static const cvk_kernel_info kernels[] = {
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) \
  CVK_KERNEL_VNNI(name, parameters, arguments, avx2, avx512, 0, neon)
#define CVK_KERNEL_VNNI(name, parameters, arguments, avx2, avx512, vnni, neon) \
  {#name, {(any_function)name##__scalar, CVK_X86_VARIANT(avx2, name##__avx2), CVK_X86_VARIANT(avx512, name##__avx512), \
           CVK_X86_VARIANT(vnni, name##__avx512vnni), CVK_ARM_VARIANT(neon, name##__neon)}},
#include "kernels.inc"
#undef CVK_KERNEL_VNNI
#undef CVK_KERNEL
    {0, {0, 0, 0, 0, 0}},
};

const cvk_kernel_info *cvk_kernel_list(int *count) {
  *count = (int)(sizeof kernels / sizeof kernels[0]) - 1;
  return kernels;
}
