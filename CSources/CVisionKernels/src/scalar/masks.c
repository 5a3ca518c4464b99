/* The guided filter: the reference of the other variants. */
#include "../internal.h"

#define VARIANT(name) name##__scalar
#include "../masks_template.h"
