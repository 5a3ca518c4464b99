import Foundation
package import VisionImage

/// A part of an image as the search for faces reads it: one picture of the whole, made once, of which all views are
/// cut; and the image itself for faces that are small in it.
package struct FacePicture {
    /// The part of the image that there is to see, in its pixels.
    package let region: PixelRegion
    private let base: Raster
    private let pixels: (Derivative) throws -> Raster

    /// Pixels of the base for a pixel of the image.
    private var scale: SIMD2<Double> {
        SIMD2(Double(base.width) / region.width, Double(base.height) / region.height)
    }

    /// - Parameters:
    ///   - reduction: pixels of the image for a pixel of the base, at least 1.
    ///   - pixels: makes parts of the image.
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

    /// A part of the image in pixels of the base. Rounding must not lead out of it.
    private func basePart(_ part: PixelRegion) -> PixelRegion {
        let x = min(max((part.x - region.x) * scale.x, 0), Double(base.width) - 1e-3)
        let y = min(max((part.y - region.y) * scale.y, 0), Double(base.height) - 1e-3)
        return PixelRegion(
            x: x, y: y, width: min(part.width * scale.x, Double(base.width) - x),
            height: min(part.height * scale.y, Double(base.height) - y))
    }

    /// A part of the base as large as that is there already is cut out of it, at the nearest pixel: nothing is
    /// resampled twice.
    private func basePixels(of part: PixelRegion, width: Int, height: Int) throws -> Raster {
        let isThere =
            abs(part.width - Double(width)) < 0.5 && abs(part.height - Double(height)) < 0.5 && width <= base.width
            && height <= base.height
        guard isThere else {
            return try base.resized(width: width, height: height, filter: .antialiasedBilinear, region: part)
        }
        return base.cropped(
            x: min(Int(part.x.rounded()), base.width - width), y: min(Int(part.y.rounded()), base.height - height),
            width: width, height: height)
    }

    /// What a network sees of a view, turned as it asks.
    func pixels(of view: FaceView) throws -> Raster {
        let (source, target) = view.placement
        return try basePixels(of: basePart(source), width: Int(target.width), height: Int(target.height))
            .padded(toWidth: view.side, height: view.side, x: Int(target.x), y: Int(target.y))
            .oriented(view.orientation)
    }

    /// What a network sees of a crop: of the base where it is fine enough, else of the image. Nothing is skipped where
    /// the crop makes things smaller, and what lies outside repeats the edge.
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
