package import VisionImage

/// A region of an image for the face search: one reduced image of the whole, made once, from which all views are cut,
/// and the image itself for small faces.
package struct FaceSearchImage {
    /// The region that may be read, in pixels of the image.
    package let region: PixelRegion
    private let base: Raster
    private let pixels: (Derivative) throws -> Raster

    /// The scale of the base: its pixels for a pixel of the image.
    private var scale: SIMD2<Double> {
        SIMD2(Double(base.width) / region.width, Double(base.height) / region.height)
    }

    /// - Parameters:
    ///   - reduction: The number of pixels of the image for a pixel of the base, at least 1.
    ///   - pixels: Makes parts of the image.
    package init(
        _ region: PixelRegion, reduction: Double, pixels: @escaping (Derivative) throws -> Raster
    ) throws {
        self.region = region
        self.pixels = pixels
        let reduction = max(reduction, 1)
        base = try pixels(
            Derivative(
                region: region, width: max(Int((region.width / reduction).rounded()), 1),
                height: max(Int((region.height / reduction).rounded()), 1), format: .rgb8))
    }

    /// Returns a part of the image in pixels of the base, limited to it.
    private func basePart(_ part: PixelRegion) -> PixelRegion {
        let x = min(max((part.x - region.x) * scale.x, 0), Double(base.width) - 1e-3)
        let y = min(max((part.y - region.y) * scale.y, 0), Double(base.height) - 1e-3)
        return PixelRegion(
            x: x, y: y, width: min(part.width * scale.x, Double(base.width) - x),
            height: min(part.height * scale.y, Double(base.height) - y))
    }

    /// Returns a part of the base. Where the size is the same, pixels are copied from the nearest position, so that
    /// nothing is resampled twice.
    private func basePixels(of part: PixelRegion, width: Int, height: Int) throws -> Raster {
        let isUnscaled =
            abs(part.width - Double(width)) < 0.5 && abs(part.height - Double(height)) < 0.5 && width <= base.width
            && height <= base.height
        guard isUnscaled else {
            return try base.resized(width: width, height: height, filter: .antialiasedBilinear, region: part)
        }
        return base.cropped(
            x: min(Int(part.x.rounded()), base.width - width), y: min(Int(part.y.rounded()), base.height - height),
            width: width, height: height)
    }

    /// Returns the network's input image for a view.
    func pixels(of view: FaceView) throws -> Raster {
        let (source, target) = view.placement
        return try basePixels(of: basePart(source), width: Int(target.width), height: Int(target.height))
            .padded(toWidth: view.side, height: view.side, x: Int(target.x), y: Int(target.y))
            .oriented(view.orientation)
    }

    /// Returns the pixels of a crop: from the base where its resolution suffices, else from the image. Reduction is
    /// antialiased, and pixels outside repeat the edge.
    package func pixels(of crop: ImagePatch) throws -> Raster {
        let reach = crop.reach + 2 * max(crop.step, 1)
        func span(_ middle: Double, _ low: Double, _ length: Double) -> (start: Double, length: Double) {
            let first = min(max((middle - reach).rounded(.down), low), low + length - 1)
            let last = max(min((middle + reach).rounded(.up), low + length), first + 1)
            return (first, last - first)
        }
        let (x, y) = (span(crop.centre.x, region.x, region.width), span(crop.centre.y, region.y, region.height))
        let reduction = max(crop.step, 1)
        let (width, height) = (
            max(Int((x.length / reduction).rounded()), 1), max(Int((y.length / reduction).rounded()), 1)
        )
        let part: Raster
        if crop.step * scale.min() >= 0.9 {
            part = try base.resized(
                width: width, height: height, filter: .antialiasedBilinear,
                region: basePart(PixelRegion(x: x.start, y: y.start, width: x.length, height: y.length)))
        } else {
            part = try pixels(
                Derivative(
                    region: PixelRegion(x: x.start, y: y.start, width: x.length, height: y.length), width: width,
                    height: height, format: .rgb8))
        }
        return try ImageSection(
            part, of: PixelRegion(x: x.start, y: y.start, width: x.length, height: y.length)
        ).pixels(of: crop)
    }
}
