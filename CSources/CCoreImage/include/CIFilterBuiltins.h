// Makes `import CoreImage.CIFilterBuiltins` work: only modules of C have submodules, and Swift adds the Swift module of
// the same name to them. There is nothing in C.
#ifndef CI_FILTER_BUILTINS_H
#define CI_FILTER_BUILTINS_H
#endif
