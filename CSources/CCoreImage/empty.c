// A target of SwiftPM has a source file.
#include "CIFilterBuiltins.h"
