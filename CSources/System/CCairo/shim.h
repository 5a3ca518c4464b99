/* Cairo (Debian: libcairo2-dev). */
#include <cairo.h>
