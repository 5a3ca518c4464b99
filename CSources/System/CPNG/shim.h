/* PNG (Debian: libpng-dev). */
#include <png.h>
