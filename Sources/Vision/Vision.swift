// The public API: requests, handlers, observations. No C and no algorithms here.
//
// Apple's module hands Foundation, Core ML and the image frameworks on to whoever imports it; so does this one.
@_exported public import CoreML
@_exported public import Foundation
@_exported public import VisionImage
