/* JPEG: the libjpeg API of libjpeg-turbo (Debian: libjpeg62-turbo-dev). jpeglib.h needs FILE and size_t first. */
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>
