/* Plain parameter types that kernels share. Subjects with larger types have a header of their own, included here. */
#ifndef CVK_TYPES_H
#define CVK_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "cvk_pixels.h"
#include "cvk_resize.h"

#endif
