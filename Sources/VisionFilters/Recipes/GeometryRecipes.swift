import Foundation
import VisionImage

/// The pixels of an image, and beyond its edges those of the edge.
struct ClampRecipe: ImageRecipe {
    let image: CIImage
    let area: PixelRect

    var inputs: [CIImage] { [image] }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        func column(_ x: Int) -> Int { min(max(x, area.x), area.maxX - 1) }
        func row(_ y: Int) -> Int { min(max(y, area.y), area.maxY - 1) }
        let (left, bottom) = (column(bounds.x), row(bounds.y))
        let source = try pass.pixels(
            of: image,
            in: PixelRect(
                x: left, y: bottom, width: column(bounds.maxX - 1) - left + 1,
                height: row(bounds.maxY - 1) - bottom + 1))
        return try FloatImage(bounds: bounds) { x, y in source[column(x), row(y)] }
    }
}

/// A projective map of the plane.
struct Homography: Sendable {
    /// Rows of the matrix that maps (x, y, 1).
    let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    /// The map of the unit square's corners (0, 0), (1, 0), (1, 1), (0, 1) to four points; nil if three of them lie on
    /// a line.
    init?(_ p0: SIMD2<Double>, _ p1: SIMD2<Double>, _ p2: SIMD2<Double>, _ p3: SIMD2<Double>) {
        let (d1, d2, sum) = (p1 - p2, p3 - p2, p0 - p1 + p2 - p3)
        let determinant = d1.x * d2.y - d2.x * d1.y
        guard determinant.isFinite, determinant.magnitude > 1e-9 else { return nil }
        let g = (sum.x * d2.y - d2.x * sum.y) / determinant
        let h = (d1.x * sum.y - sum.x * d1.y) / determinant
        rows = (
            SIMD3(p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x),
            SIMD3(p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y), SIMD3(g, h, 1)
        )
        // A quadrilateral that is not convex has its horizon within the square.
        guard [0, g, h, g + h].allSatisfy({ $0 > -1 + 1e-9 }) else { return nil }
    }

    private init(rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)) { self.rows = rows }

    /// The inverse map; nil if there is none.
    var inverse: Homography? {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let (a, b, c) = (cross(rows.1, rows.2), cross(rows.2, rows.0), cross(rows.0, rows.1))
        let determinant = (rows.0 * a).sum()
        guard determinant.isFinite, determinant.magnitude > 1e-12 else { return nil }
        return Homography(
            rows: (
                SIMD3(a.x, b.x, c.x) / determinant, SIMD3(a.y, b.y, c.y) / determinant,
                SIMD3(a.z, b.z, c.z) / determinant
            ))
    }

    /// The image of a point; NaN for points at or behind the horizon.
    func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let point = SIMD3(point.x, point.y, 1)
        let w = (rows.2 * point).sum()
        guard w > 1e-12 else { return SIMD2(repeating: .nan) }
        return SIMD2((rows.0 * point).sum() / w, (rows.1 * point).sum() / w)
    }
}

/// An image under a projective map: the unit square of the target is the unit square of the source.
struct PerspectiveRecipe: ImageRecipe {
    let image: CIImage
    /// From the coordinates of the result to the unit square.
    let toSquare: @Sendable (SIMD2<Double>) -> SIMD2<Double>
    /// From the unit square to the coordinates of the image.
    let fromSquare: @Sendable (SIMD2<Double>) -> SIMD2<Double>

    var inputs: [CIImage] { [image] }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        // All of the image: the corners of the bounds may map anywhere.
        guard let area = PixelRect(image.extent) else { return try FloatImage(bounds: bounds) }
        let source = try pass.pixels(of: image, in: area)
        return try FloatImage(bounds: bounds) { x, y in
            let place = toSquare(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
            guard place.x >= 0, place.x <= 1, place.y >= 0, place.y <= 1 else { return .zero }
            let point = fromSquare(place)
            return source.sample(point.x, point.y)
        }
    }
}

/// An image at another scale by a Lanczos filter of three lobes, as wide as reductions need.
struct LanczosRecipe: ImageRecipe {
    let image: CIImage
    let area: PixelRect
    let scaleX: Double
    let scaleY: Double

    var inputs: [CIImage] { [image] }

    /// The pixels of the source that one pixel of the result is made of, along one axis.
    private struct Taps {
        let first: Int
        let weights: [Float]

        /// - Parameters:
        ///   - index: The coordinate of the pixel of the result.
        ///   - range: The source's pixels: what lies beyond does not count.
        init(_ index: Int, scale: Double, range: Range<Int>) {
            let stretch = max(1, 1 / scale)
            let centre = (Double(index) + 0.5) / scale
            let low = Int((centre - 3 * stretch).rounded(.down))
            let high = Int((centre + 3 * stretch).rounded(.up))
            let first = min(max(low, range.lowerBound), range.upperBound - 1)
            let last = max(min(high, range.upperBound - 1), first)
            let values = (first...last).map { Self.lanczos((Double($0) + 0.5 - centre) / stretch) }
            let sum = values.reduce(0, +)
            self.first = first
            weights = sum.magnitude > 1e-9 ? values.map { Float($0 / sum) } : [1] + values.dropFirst().map { _ in 0 }
        }

        private static func lanczos(_ x: Double) -> Double {
            guard x.magnitude < 3 else { return 0 }
            guard x.magnitude > 1e-9 else { return 1 }
            let angle = Double.pi * x
            return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
        }
    }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        let columns = (bounds.x..<bounds.maxX).map { Taps($0, scale: scaleX, range: area.x..<area.maxX) }
        let rows = (bounds.y..<bounds.maxY).map { Taps($0, scale: scaleY, range: area.y..<area.maxY) }
        guard let left = columns.first?.first, let bottom = rows.first?.first,
            let right = columns.map({ $0.first + $0.weights.count }).max(),
            let top = rows.map({ $0.first + $0.weights.count }).max()
        else { return try FloatImage(bounds: bounds) }
        let source = try pass.pixels(
            of: image, in: PixelRect(x: left, y: bottom, width: right - left, height: top - bottom))
        // Vertically first, a row of the result at a time.
        var result = try FloatImage(bounds: bounds)
        var line = [FloatImage.Pixel](repeating: .zero, count: right - left)
        for (row, taps) in rows.enumerated() {
            for column in line.indices { line[column] = .zero }
            for (tap, weight) in taps.weights.enumerated() {
                let start = (taps.first + tap - bottom) * line.count
                for column in line.indices { line[column] += source.pixels[start + column] * weight }
            }
            for (column, taps) in columns.enumerated() {
                var sum = FloatImage.Pixel.zero
                for (tap, weight) in taps.weights.enumerated() { sum += line[taps.first - left + tap] * weight }
                result.pixels[row * bounds.width + column] = sum
            }
        }
        return result
    }
}
