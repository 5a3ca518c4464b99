/* Pooling, resizing, activations and the other steps of networks in float. */
#ifndef CVK_NETWORK_H
#define CVK_NETWORK_H

#include "cvk_tensor.h"

#endif
