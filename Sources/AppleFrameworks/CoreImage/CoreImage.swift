// Core Image, as far as this package has it, under Apple's module name.
//
// The C module of the same name beside it has the submodule `CIFilterBuiltins`, which Swift modules cannot have:
// importing it imports this module. The filters with properties are here in either case.
@_exported public import Foundation
@_exported public import VisionFilters
@_exported public import VisionImage
