import Foundation
import VisionImage

/// An image fitted to a size of another aspect ratio by cropping along one axis and stretching the other one more,
/// less so in the centre than at the edges.
///
/// The axis that would be cropped if nothing were stretched keeps `1 - crop (1 - r)` of its length, where r is what
/// whole cropping leaves. From -1 to 1 along it, position u of the result shows d u + (1 - d) u³ of what is kept: d is
/// the scale of the other axis relative to this one's, to the power of `1 - centreStretch`. So the centre has the
/// source's aspect ratio at 0, and all is stretched alike at 1.
struct StretchRecipe: ImageRecipe {
    let image: CIImage
    let area: PixelRect
    /// Width and height of the result.
    let size: SIMD2<Double>
    let crop: Double
    let centreStretch: Double

    var inputs: [CIImage] { [image] }

    /// The position in the source, 0…its length, that a position of the result shows along an axis.
    ///
    /// - Parameters:
    ///   - relative: The scale of this axis relative to the other's.
    private func source(_ position: Double, _ length: Double, of whole: Double, relative: Double) -> Double {
        let centred = 2 * position / length - 1
        guard relative < 1 else { return (centred + 1) / 2 * whole }
        let kept = 1 - crop * (1 - relative)
        let slope = pow(relative / kept, 1 - centreStretch)
        let shown = slope * centred + (1 - slope) * centred * centred * centred
        return (shown * kept + 1) / 2 * whole
    }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        let whole = SIMD2(Double(area.width), Double(area.height))
        let scale = size / whole
        let (acrossDown, downAcross) = (scale.x / scale.y, scale.y / scale.x)
        func x(_ column: Int) -> Double {
            Double(area.x) + source(Double(column) + 0.5, size.x, of: whole.x, relative: acrossDown)
        }
        func y(_ row: Int) -> Double {
            Double(area.y) + source(Double(row) + 0.5, size.y, of: whole.y, relative: downAcross)
        }
        guard !bounds.isEmpty else { return try FloatImage(bounds: bounds) }
        let columns = (bounds.x..<bounds.maxX).map(x)
        let rows = (bounds.y..<bounds.maxY).map(y)
        let (left, right) = (columns[0], columns[columns.count - 1])
        let (bottom, top) = (rows[0], rows[rows.count - 1])
        let needed = PixelRect(CGRect(x: left - 1, y: bottom - 1, width: right - left + 2, height: top - bottom + 2))
        guard let part = needed?.intersection(area), !part.isEmpty else { return try FloatImage(bounds: bounds) }
        let pixels = try pass.pixels(of: image, in: part)
        // The pixels of the edges count wholly: nothing darkens there.
        let (lowest, highest) = (
            SIMD2(Double(area.x), Double(area.y)) + 0.5, SIMD2(Double(area.maxX), Double(area.maxY)) - 0.5
        )
        return try FloatImage(bounds: bounds) { column, row in
            let point = SIMD2(columns[column - bounds.x], rows[row - bounds.y])
                .clamped(lowerBound: lowest, upperBound: highest)
            return pixels.sample(point.x, point.y)
        }
    }
}
