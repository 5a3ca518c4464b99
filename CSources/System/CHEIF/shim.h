/* HEIF and HEIC (Debian: libheif-dev). */
#include <libheif/heif.h>
