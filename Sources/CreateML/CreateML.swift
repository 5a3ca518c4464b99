// Create ML's training API of 2018 and 2019. Its results are Core ML models, so that module is re-exported.
@_exported public import CoreML
@_exported public import Foundation
@_exported public import VisionImage
