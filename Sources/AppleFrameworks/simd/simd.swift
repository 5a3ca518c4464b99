// The vectors and matrices of simd that this package has, under Apple's module name.
@_exported public import VisionImage
