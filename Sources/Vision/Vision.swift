// The public API: requests, handlers, observations. No C and no algorithms here.
//
// Like Apple's module, this one re-exports Foundation, Core ML and the image frameworks.
@_exported public import CoreML
@_exported public import Foundation
@_exported public import VisionImage
