/* Which instruction set the dispatched kernels use. */
#ifndef CVK_CPU_H
#define CVK_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* In ascending order on x86-64; arm64 knows scalar and neon only. */
enum cvk_isa {
  CVK_ISA_SCALAR = 0,
  CVK_ISA_AVX2 = 1,   /* AVX2, FMA, F16C, BMI2 */
  CVK_ISA_AVX512 = 2, /* the above and AVX-512 F, BW, DQ, VL */
  CVK_ISA_AVX512VNNI = 3, /* the above and AVX-512 VNNI: products of bytes, summed by four */
  CVK_ISA_NEON = 4,
  CVK_ISA_COUNT
};

/* The best set that this processor and operating system can run. */
enum cvk_isa cvk_isa_of_machine(void);

/* The set in use: the machine's, or the lower one that the environment variable OPENVISION_ISA (scalar, avx2, avx512,
 * avx512vnni, neon) names. The variable can only lower the set; anything else in it is ignored. Read once, at load. */
enum cvk_isa cvk_isa_in_use(void);

/* "scalar", "avx2", "avx512", "avx512vnni" or "neon". */
const char *cvk_isa_name(enum cvk_isa isa);

/* One kernel and its variants; a variant that was not built, or that the kernel does not have, is NULL. The functions
 * are cast to a common type: checks cast them back. For checks and micro-benchmarks only. */
typedef struct cvk_kernel_info {
  const char *name;
  void (*variant[CVK_ISA_COUNT])(void); /* by enum cvk_isa */
} cvk_kernel_info;

/* All kernels in the order of the list; *count receives how many there are. */
const cvk_kernel_info *cvk_kernel_list(int *count);

#ifdef __cplusplus
}
#endif

#endif
