/* HEIF, HEIC and AVIF (Debian: libheif-dev). */
#include <libheif/heif.h>
