// The types and functions of Core Graphics that this package has, under Apple's module name.
@_exported public import Foundation
@_exported public import VisionImage
