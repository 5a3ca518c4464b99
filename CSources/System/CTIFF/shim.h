/* TIFF (Debian: libtiff-dev). */
#include <tiffio.h>
