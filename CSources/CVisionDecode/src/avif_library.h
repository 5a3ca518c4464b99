/* libavif, loaded when the first AVIF file is opened: with its codecs it is twenty shared libraries, which few programs
 * need. */
#ifndef CVD_AVIF_LIBRARY_H
#define CVD_AVIF_LIBRARY_H

#include <avif/avif.h>

#include "internal.h"

typedef struct cvd_avif_library {
#define FUNCTION(name) __typeof__(&avif##name) name;
#define FUNCTIONS                                                                                          \
  FUNCTION(DecoderCreate) FUNCTION(DecoderDestroy) FUNCTION(DecoderSetIOMemory) FUNCTION(DecoderParse)     \
  FUNCTION(DecoderNextImage) FUNCTION(ResultToString) FUNCTION(RGBImageSetDefaults) FUNCTION(ImageYUVToRGB) \
  FUNCTION(CropRectConvertCleanApertureBox)
  FUNCTIONS
#undef FUNCTION
} cvd_avif_library;

/* Returns the library; NULL, and CVD_UNSUPPORTED with its text, where it is not installed or is another version. */
const cvd_avif_library *cvd_load_avif(cvd_status *status, cvd_message *message);

#endif
