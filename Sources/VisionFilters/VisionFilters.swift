// Core Image's filters, vectors, colours and detectors, on the images of VisionImage and the requests of Vision.
@_exported public import Foundation
@_exported public import VisionImage
