/* Convolutions and matrix products in float. */
#ifndef CVK_CONVOLUTION_H
#define CVK_CONVOLUTION_H

#include "cvk_tensor.h"

#endif
