/* Declarations of all variants, and the switches that say which of them exist on this architecture. */
#ifndef CVK_INTERNAL_H
#define CVK_INTERNAL_H

#include "CVisionKernels.h"

#if defined(__x86_64__)
#define CVK_X86 1
#define CVK_ARM 0
#elif defined(__aarch64__)
#define CVK_X86 0
#define CVK_ARM 1
#else
#define CVK_X86 0
#define CVK_ARM 0
#endif

/* CVK_IF(1, text) is text and CVK_IF(0, text) is nothing, also through one more macro level. */
#define CVK_IF_0(...)
#define CVK_IF_1(...) __VA_ARGS__
#define CVK_IF_JOIN(flag, ...) CVK_IF_##flag(__VA_ARGS__)
#define CVK_IF(flag, ...) CVK_IF_JOIN(flag, __VA_ARGS__)

/* Files of one instruction set are compiled for all machines and switch it on themselves: SwiftPM refuses build flags
 * in dependencies. Put CVK_BEGIN_AVX2 after the includes and CVK_END at the end of the file. Contraction is off so that
 * a variant rounds as the scalar reference does unless it asks for FMA by intrinsic. */
#pragma clang fp contract(off)
#define CVK_PRAGMA(text) _Pragma(#text)
#define CVK_BEGIN_TARGET(sets) CVK_PRAGMA(clang attribute push(__attribute__((target(sets))), apply_to = function))
#define CVK_AVX2_SETS "avx2,fma,f16c,bmi,bmi2"
#define CVK_AVX512_SETS CVK_AVX2_SETS ",avx512f,avx512bw,avx512dq,avx512vl"
#define CVK_BEGIN_AVX2 CVK_BEGIN_TARGET(CVK_AVX2_SETS)
#define CVK_BEGIN_AVX512 CVK_BEGIN_TARGET(CVK_AVX512_SETS)
#define CVK_BEGIN_AVX512VNNI CVK_BEGIN_TARGET(CVK_AVX512_SETS ",avx512vnni")
#define CVK_END _Pragma("clang attribute pop")

#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) \
  void name##__scalar parameters; \
  CVK_IF(avx2, void name##__avx2 parameters;) \
  CVK_IF(avx512, void name##__avx512 parameters;) \
  CVK_IF(neon, void name##__neon parameters;)
#define CVK_KERNEL_VNNI(name, parameters, arguments, avx2, avx512, vnni, neon) \
  CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) \
  CVK_IF(vnni, void name##__avx512vnni parameters;)
#include "kernels.inc"
#undef CVK_KERNEL_VNNI
#undef CVK_KERNEL

#endif
