/// The form in which a request reads an image: the region, size, layout and filter.
///
/// Equal values are the same derivative, which a handler makes once. All geometry is in pixels of the upright image
/// with the origin at the top left.
package struct Derivative: Hashable, Sendable {
    /// How the region is fitted to the size.
    package enum Fit: Hashable, Sendable {
        /// Scaled independently along both axes.
        case fill
        /// Scaled uniformly so that all of it fits, centred; the rest is black.
        case fit
        /// Scaled uniformly so that the short side fills; the ends of the long side are cut off.
        case centerCrop
    }

    /// The region of the upright image.
    package var region: PixelRegion
    /// The number of pixels in a row of the result.
    package var width: Int
    /// The number of rows of the result.
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
