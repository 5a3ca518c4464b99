// Models, features and arrays under Core ML's names. The inference engine has no public API.
//
// Like Apple's module, this one re-exports Foundation and Core Video.
@_exported public import Foundation
@_exported public import VisionImage
