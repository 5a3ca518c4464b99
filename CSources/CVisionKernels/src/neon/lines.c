/* Edges of straight lines: see lines_template.h. */
#include "../internal.h"
#if CVK_ARM

#define CVK_LINES(name) name##__neon
#include "../lines_template.h"

#endif
