/* CVisionKernels: the hot paths of OpenVision in C.
 *
 * Every kernel is listed once, with its documentation, in one of the .inc files that kernels.inc names. The list makes
 * the prototypes below, the dispatch table (src/dispatch.c), the variant declarations (src/internal.h), the checks and
 * the micro-benchmarks. Kernels never allocate, never start threads and cannot fail: callers check sizes first.
 *
 * Order of arguments: dst, dst_stride, src, src_stride, width, height, parameters. Strides are in bytes.
 */
#ifndef CVISIONKERNELS_H
#define CVISIONKERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "cvk_cpu.h"
#include "cvk_contours.h"
#include "cvk_convolution.h"
#include "cvk_features.h"
#include "cvk_fft.h"
#include "cvk_filters.h"
#include "cvk_flow.h"
#include "cvk_motion.h"
#include "cvk_lines.h"
#include "cvk_network.h"
#include "cvk_planar.h"
#include "cvk_quantised.h"
#include "cvk_rows.h"
#include "cvk_tensor.h"
#include "cvk_tracking.h"
#include "cvk_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) void name parameters;
#include "kernels.inc"
#undef CVK_KERNEL

#ifdef __cplusplus
}
#endif

#endif
