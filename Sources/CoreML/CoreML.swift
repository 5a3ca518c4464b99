// Core ML's face: models, features and arrays under Apple's names. The engine below has no public name.
//
// Apple's module hands Foundation and Core Video on to whoever imports it; so does this one.
@_exported public import Foundation
@_exported public import VisionImage
