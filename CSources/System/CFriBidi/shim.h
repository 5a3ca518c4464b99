/* FriBidi (Debian: libfribidi-dev). */
#include <fribidi/fribidi.h>
