/* Networks in 8-bit integers. */
#ifndef CVK_QUANTISED_H
#define CVK_QUANTISED_H

#include "cvk_tensor.h"

#endif
