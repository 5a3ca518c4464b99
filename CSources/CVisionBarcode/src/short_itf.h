#ifndef CVISIONBARCODE_SHORT_ITF_H
#define CVISIONBARCODE_SHORT_ITF_H

#include "binary_image.h"

#include <cstdint>
#include <string>

namespace barcode {

/* Reads an Interleaved 2 of 5 of four digits from the edges of a row. The symbology has no check and rows of other
 * things are likely to look like so short a code, so it is read only where the row shows nothing else. Returns the
 * digits, or an empty string; `ends` are the first pixel and the last one in reading direction. */
std::string read_short_itf(const Edges &edges, bool starts_dark, int32_t (&ends)[2]);

}  // namespace barcode

#endif
