/* WebP and its container (Debian: libwebp-dev). */
#include <webp/decode.h>
#include <webp/demux.h>
