/* GIF (Debian: libgif-dev). */
#include <gif_lib.h>
