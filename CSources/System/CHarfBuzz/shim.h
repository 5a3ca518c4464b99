/* HarfBuzz (Debian: libharfbuzz-dev). */
#include <harfbuzz/hb.h>
