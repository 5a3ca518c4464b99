/* Cairo (Debian: libcairo2-dev). */
#include <cairo-ft.h>
#include <cairo.h>
