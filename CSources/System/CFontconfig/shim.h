/* fontconfig (Debian: libfontconfig-dev). */
#include <fontconfig/fontconfig.h>
