#ifndef CVD_TIFF_DIRECTORY_H
#define CVD_TIFF_DIRECTORY_H

#include "internal.h"

/* Whether a value that determines the pixels of a TIFF's first image lies beyond the end of the data.
 * libtiff goes on without such a value: a palette that is cut off gives a grey image. */
bool cvd_tiff_values_are_cut(cvd_input input);

#endif
