// Frames carry the types of Core Video and Core Media, and sources are URLs.
@_exported public import Foundation
@_exported public import VisionImage
