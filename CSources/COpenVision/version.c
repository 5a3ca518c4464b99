#include "openvision.h"

int openvision_abi_version(void) { return OPENVISION_ABI_VERSION; }
