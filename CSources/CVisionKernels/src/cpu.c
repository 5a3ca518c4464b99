#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum cvk_isa cvk_isa_of_machine(void) {
#if CVK_X86
  __builtin_cpu_init();
  int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  int vnni = avx512 && __builtin_cpu_supports("avx512vnni");
  return vnni ? CVK_ISA_AVX512VNNI : avx512 ? CVK_ISA_AVX512 : avx2 ? CVK_ISA_AVX2 : CVK_ISA_SCALAR;
#elif CVK_ARM
  return CVK_ISA_NEON; /* part of the architecture */
#else
  return CVK_ISA_SCALAR;
#endif
}

const char *cvk_isa_name(enum cvk_isa isa) {
  static const char *const names[] = {"scalar", "avx2", "avx512", "avx512vnni", "neon"};
  return (unsigned)isa < CVK_ISA_COUNT ? names[isa] : "unknown";
}

enum cvk_isa cvk_isa_in_use(void) {
  enum cvk_isa machine = cvk_isa_of_machine();
  const char *wanted = getenv("OPENVISION_ISA");
  for (int isa = CVK_ISA_SCALAR; wanted && isa < (int)machine; isa++) {
    /* On arm64 the sets between scalar and neon do not exist: asking for them changes nothing. */
    if (machine == CVK_ISA_NEON && isa != CVK_ISA_SCALAR) break;
    if (strcmp(wanted, cvk_isa_name((enum cvk_isa)isa)) == 0) return (enum cvk_isa)isa;
  }
  return machine;
}
