import Foundation
import VisionModels

/// Rotates the head in a photo, closes its eyes and opens its mouth, by moving pixels as the mesh of the face says.
struct FaceBending {
    private let mesh: FaceMesh
    /// In the frame of the face: x to the right of the upright face, y down, in lengths of the face, the middle at 0.
    private let points: [SIMD3<Double>]
    private let centre: SIMD2<Double>
    private let axis: SIMD2<Double>
    private let length: Double
    /// Depth and how much of the face there is, on a grid of `gridSide` from -1 to 1.
    private let depth: [Double]
    private static let gridSide = 65

    init(_ mesh: FaceMesh) {
        self.mesh = mesh
        let down = mesh.points[152] - mesh.points[10]
        length = (down * down).sum().squareRoot()
        let roll = mesh.angles.roll
        axis = SIMD2(cos(roll), -sin(roll))
        let sum = mesh.points.reduce(SIMD3<Double>.zero, +) / Double(mesh.points.count)
        centre = SIMD2(sum.x, sum.y)
        let (axis, centre, length) = (axis, centre, length)
        points = mesh.points.map { point in
            let offset = (SIMD2(point.x, point.y) - centre) / length
            return SIMD3(
                axis.x * offset.x + axis.y * offset.y, axis.x * offset.y - axis.y * offset.x, (point.z - sum.z) / length
            )
        }
        let points = self.points
        depth = (0..<Self.gridSide * Self.gridSide).map { index in
            let x = Double(index % Self.gridSide) / Double(Self.gridSide - 1) * 2 - 1
            let y = Double(index / Self.gridSide) / Double(Self.gridSide - 1) * 2 - 1
            var (sum, weight) = (0.0, 1e-12)
            for point in points {
                let square = (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y)
                let near = 1 / (square * square + 1e-5)
                sum += near * point.z
                weight += near
            }
            return sum / weight
        }
    }

    private func depth(_ x: Double, _ y: Double) -> Double {
        let last = Double(Self.gridSide - 1)
        let column = min(max((x + 1) / 2 * last, 0), last - 1e-6)
        let row = min(max((y + 1) / 2 * last, 0), last - 1e-6)
        let (left, top) = (Int(column), Int(row))
        let (a, b) = (column - Double(left), row - Double(top))
        func value(_ x: Int, _ y: Int) -> Double { depth[y * Self.gridSide + x] }
        return (value(left, top) * (1 - a) + value(left + 1, top) * a) * (1 - b)
            + (value(left, top + 1) * (1 - a) + value(left + 1, top + 1) * a) * b
    }

    /// - Parameters:
    ///   - yaw: Radians, towards the side to which the head is rotated already.
    func bent(_ image: FloatImage, yaw: Double, eyes: Double, mouth: Double) -> FloatImage {
        var result = image
        let angle = mesh.angles.yaw < 0 ? -yaw : yaw
        let (c, s) = (cos(angle), sin(angle))
        for row in 0..<image.height {
            for column in 0..<image.width {
                let offset = (SIMD2(Double(column), Double(row)) + 0.5 - centre) / length
                let target = SIMD2(
                    axis.x * offset.x + axis.y * offset.y, axis.x * offset.y - axis.y * offset.x)
                let reach = ((target.x / 0.55) * (target.x / 0.55) + (target.y / 0.65) * (target.y / 0.65)).squareRoot()
                guard reach < 1.8 else { continue }
                let share = min(max((1.8 - reach) / 0.7, 0), 1)
                var point = target
                // The inverse of the rotation by iteration: displacements are small and smooth.
                for _ in 0..<(yaw > 0 ? 6 : 0) {
                    let moved = point.x * c - (depth(point.x, point.y) - Self.pivot) * s
                    point.x = 0.3 * point.x + 0.7 * (target.x - share * (moved - point.x + Self.shift(s)))
                }
                var isOpening = false
                if eyes > 0 {
                    point = closed(point, upper: [159, 158, 160], lower: [145, 153, 144], 33, 133, eyes)
                    point = closed(point, upper: [386, 385, 387], lower: [374, 380, 373], 263, 362, eyes)
                }
                if mouth > 0 { (point, isOpening) = opened(point, mouth) }
                let source = SIMD2(
                    centre.x + length * (axis.x * point.x - axis.y * point.y),
                    centre.y + length * (axis.y * point.x + axis.x * point.y))
                for channel in 0..<3 {
                    result.planes[channel][row * image.width + column] =
                        isOpening ? [48, 16, 16][channel] : image.value(channel, source.x, source.y)
                }
            }
        }
        return result
    }

    /// The axis about which the head rotates lies behind the face; the head stays where it is.
    private static let pivot = 0.3
    private static func shift(_ sine: Double) -> Double { -pivot * sine }

    private func mean(_ indices: [Int]) -> SIMD2<Double> {
        let sum = indices.reduce(SIMD3<Double>.zero) { $0 + points[$1] } / Double(indices.count)
        return SIMD2(sum.x, sum.y)
    }

    /// The upper lid comes down and brings the skin above it.
    private func closed(
        _ point: SIMD2<Double>, upper: [Int], lower: [Int], _ from: Int, _ to: Int, _ share: Double
    ) -> SIMD2<Double> {
        let (a, b) = (mean([from]), mean([to]))
        let width = abs(b.x - a.x) / 2
        let across = (point.x - (a.x + b.x) / 2) / max(width, 1e-3)
        guard abs(across) < 1.1 else { return point }
        let bow = max(1 - across * across, 0)
        let line = (a.y + b.y) / 2
        let low = line + (mean(lower).y - line) * bow
        let height = max(low - (line + (mean(upper).y - line) * bow), 1e-3)
        let above = low - point.y
        let (rest, skin) = (height * (1 - share), 2.5 * height)
        guard above > 0, above < skin else { return point }
        let source =
            above < rest ? above / max(1 - share, 1e-3) : height + (above - rest) / (skin - rest) * (skin - height)
        return SIMD2(point.x, low - source)
    }

    /// The lower lip and the chin come down; between the lips it is dark.
    private func opened(_ point: SIMD2<Double>, _ share: Double) -> (SIMD2<Double>, Bool) {
        let (a, b) = (mean([61]), mean([291]))
        let across = (point.x - (a.x + b.x) / 2) / max(abs(b.x - a.x) / 2, 1e-3)
        guard abs(across) < 1.3 else { return (point, false) }
        let line = mean([13, 14]).y + (mean([61, 291]).y - mean([13, 14]).y) * min(across * across, 1)
        let gap = share * max(1 - across * across, 0)
        let below = point.y - line
        guard below > 0 else { return (point, false) }
        if below < gap { return (point, true) }
        let reach = 0.5
        guard below < reach else { return (point, false) }
        return (SIMD2(point.x, line + (below - gap) / (reach - gap) * reach), false)
    }
}
