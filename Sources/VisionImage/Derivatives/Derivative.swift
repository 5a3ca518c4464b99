/// What a request wants to see of an image: which part, how large, in which layout.
///
/// Two equal values are the same derivative: a handler makes it once. All geometry is in pixels of the upright image
/// with the origin at the top left.
package struct Derivative: Hashable, Sendable {
    /// How the region is brought to the size.
    package enum Fit: Hashable, Sendable {
        /// Stretched along both axes.
        case fill
        /// Scaled evenly so that all of it fits, centred; the rest is black.
        case fit
        /// Scaled evenly so that the short side fills; the ends of the long side are cut off.
        case centerCrop
    }

    /// Which part of the upright image.
    package var region: PixelRegion
    /// Pixels a row of the result.
    package var width: Int
    /// Rows of the result.
    package var height: Int
    package var format: Raster.Format
    package var fit: Fit
    package var filter: ResizeFilter
    /// For float formats: the value of a component is its byte × scale + bias.
    package var scale: SIMD3<Float>
    package var bias: SIMD3<Float>

    package init(
        region: PixelRegion, width: Int, height: Int, format: Raster.Format, fit: Fit = .fill,
        filter: ResizeFilter = .antialiasedBilinear, scale: SIMD3<Float> = SIMD3(repeating: 1 / 255),
        bias: SIMD3<Float> = .zero
    ) {
        self.region = region
        self.width = width
        self.height = height
        self.format = format
        self.fit = fit
        self.filter = filter
        self.scale = scale
        self.bias = bias
    }
}
