import Foundation
import VisionImage

/// The pixels of an image, and beyond its edges those of the edge.
struct ClampRecipe: ByteView {
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
        return try source.clamped(in: bounds)
    }

    func view(of source: ByteSource) -> ByteSource? { source.clamped(to: area) }
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

    /// The map that scales and shifts: the unit square becomes a rectangle.
    init(squareTo origin: SIMD2<Double>, _ size: SIMD2<Double>) {
        rows = (SIMD3(size.x, 0, origin.x), SIMD3(0, size.y, origin.y), SIMD3(0, 0, 1))
    }

    /// The map of another one's results.
    func after(_ first: Homography) -> Homography {
        func row(_ a: SIMD3<Double>) -> SIMD3<Double> {
            first.rows.0 * a.x + first.rows.1 * a.y + first.rows.2 * a.z
        }
        return Homography(rows: (row(rows.0), row(rows.1), row(rows.2)))
    }

    /// The image of a point in homogeneous coordinates.
    func homogeneous(_ point: SIMD2<Double>) -> SIMD3<Double> {
        let point = SIMD3(point.x, point.y, 1)
        return SIMD3((rows.0 * point).sum(), (rows.1 * point).sum(), (rows.2 * point).sum())
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
struct PerspectiveRecipe: ByteRecipe {
    let image: CIImage
    /// From the coordinates of the result to the unit square.
    let toSquare: Homography
    /// From the unit square to the coordinates of the image.
    let fromSquare: Homography

    var inputs: [CIImage] { [image] }
    var keepsRange: Bool { true }

    func gain(ofInput index: Int) -> Float { 1 }

    private static func isInside(_ x: Int, _ y: Int, _ toSquare: Homography) -> Bool {
        let position = toSquare(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
        return position.x >= 0 && position.x <= 1 && position.y >= 0 && position.y <= 1
    }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        // All of the image: the corners of the bounds may map anywhere.
        guard let area = PixelRect(image.extent) else { return try FloatImage(bounds: bounds) }
        let source = try pass.pixels(of: image, in: area)
        return try FloatImage(bounds: bounds) { x, y in
            guard Self.isInside(x, y, toSquare) else { return .zero }
            let point = fromSquare(toSquare(SIMD2(Double(x) + 0.5, Double(y) + 0.5)))
            return source.sample(point.x, point.y)
        }
    }

    func renderer(_ sources: [ByteSource], _ visible: PixelRect) -> Renderer? {
        guard let source = sources.first, !source.isClamped, !source.visible.isEmpty else { return nil }
        // Coordinates that have room in the kernel's numbers.
        let corners = [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(1, 1), SIMD2(0, 1)].map { fromSquare($0) }
        guard corners.allSatisfy({ $0.x.magnitude < 4e6 && $0.y.magnitude < 4e6 }) else { return nil }
        let map = fromSquare.after(toSquare)
        return { [toSquare] bounds, target in
            for y in bounds.y..<bounds.maxY {
                let span = Self.span(of: y, within: bounds.x..<bounds.maxX, toSquare)
                target.clear(PixelRect(x: bounds.x, y: y, width: span.lowerBound - bounds.x, height: 1))
                target.clear(PixelRect(x: span.upperBound, y: y, width: bounds.maxX - span.upperBound, height: 1))
                source.warp(span, y, { map.homogeneous($0) }, target)
            }
        }
    }

    /// The pixels of a row that lie in the unit square.
    private static func span(of y: Int, within row: Range<Int>, _ toSquare: Homography) -> Range<Int> {
        let start = toSquare.homogeneous(SIMD2(0.5, Double(y) + 0.5))
        let step = toSquare.homogeneous(SIMD2(1.5, Double(y) + 0.5)) - start
        // Linear functions of x that are not negative inside: x, w - x, y, w - y.
        let limits = [
            (start.x, step.x), (start.z - start.x, step.z - step.x), (start.y, step.y),
            (start.z - start.y, step.z - step.y),
        ]
        var (low, high) = (Double(row.lowerBound), Double(row.upperBound - 1))
        for (value, slope) in limits {
            if slope > 0 { low = max(low, -value / slope) }
            if slope < 0 { high = min(high, -value / slope) }
            if slope == 0, value < 0 { return row.lowerBound..<row.lowerBound }
        }
        guard low.isFinite, high.isFinite, low <= high + 2 else { return row.lowerBound..<row.lowerBound }
        // The ends by the condition itself, which rounds in its own way.
        var first = min(max(Int(low.rounded(.up)), row.lowerBound), row.upperBound)
        var last = max(min(Int(high.rounded(.down)), row.upperBound - 1), first - 1)
        while first > row.lowerBound, isInside(first - 1, y, toSquare) { first -= 1 }
        while first <= last, !isInside(first, y, toSquare) { first += 1 }
        while last + 1 < row.upperBound, isInside(last + 1, y, toSquare) { last += 1 }
        while last >= first, !isInside(last, y, toSquare) { last -= 1 }
        return first..<max(first, last + 1)
    }
}

/// An image at another scale by a Lanczos filter of three lobes, as wide as reductions need.
struct LanczosRecipe: ByteRecipe {
    let image: CIImage
    let area: PixelRect
    let scaleX: Double
    let scaleY: Double

    var inputs: [CIImage] { [image] }
    // The lobes beside the first are negative.
    var keepsRange: Bool { false }

    func gain(ofInput index: Int) -> Float { .infinity }

    /// The pixels of the source that pixels of the result are made of, along one axis.
    ///
    /// - Parameters:
    ///   - indices: The coordinates of the pixels of the result.
    ///   - range: The source's pixels: what lies beyond does not count.
    private static func taps(_ indices: Range<Int>, scale: Double, range: Range<Int>) -> ResampleTaps {
        let stretch = max(1, 1 / scale)
        let taps = indices.map { index -> (first: Int, weights: [Float]) in
            let centre = (Double(index) + 0.5) / scale
            let low = Int((centre - 3 * stretch).rounded(.down))
            let high = Int((centre + 3 * stretch).rounded(.up))
            let first = min(max(low, range.lowerBound), range.upperBound - 1)
            let last = max(min(high, range.upperBound - 1), first)
            let values = (first...last).map { lanczos((Double($0) + 0.5 - centre) / stretch) }
            let sum = values.reduce(0, +)
            let weights =
                sum.magnitude > 1e-9 ? values.map { Float($0 / sum) } : [1] + values.dropFirst().map { _ in 0 }
            return (first, weights)
        }
        return ResampleTaps(taps, limits: range)
    }

    private static func lanczos(_ x: Double) -> Double {
        guard x.magnitude < 3 else { return 0 }
        guard x.magnitude > 1e-9 else { return 1 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }

    private func columns(_ bounds: PixelRect) -> ResampleTaps {
        Self.taps(bounds.x..<bounds.maxX, scale: scaleX, range: area.x..<area.maxX)
    }

    private func rows(_ bounds: PixelRect) -> ResampleTaps {
        Self.taps(bounds.y..<bounds.maxY, scale: scaleY, range: area.y..<area.maxY)
    }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        guard !bounds.isEmpty else { return try FloatImage(bounds: bounds) }
        let (columns, rows) = (columns(bounds), rows(bounds))
        let part = PixelRect(
            x: columns.range.lowerBound, y: rows.range.lowerBound, width: columns.range.count,
            height: rows.range.count)
        return try pass.pixels(of: image, in: part).resampled(columns, rows, bounds)
    }

    func renderer(_ sources: [ByteSource], _ visible: PixelRect) -> Renderer? {
        guard let source = sources.first, !visible.isEmpty, source.covers(area), max(area.width, area.height) <= 1 << 16
        else { return nil }
        let columns = columns(visible)
        return { bounds, target in source.resample(columns, rows(bounds), bounds, target) }
    }
}
