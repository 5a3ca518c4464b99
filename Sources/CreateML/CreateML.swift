// Training with Create ML's API of 2018 and 2019. What it gives are Core ML models, so that module comes with it.
@_exported public import CoreML
@_exported public import Foundation
@_exported public import VisionImage
