import Foundation
import VisionImage

/// The grid of modules of a square 2-D barcode in an image: a plane homography from modules to pixels; (0, 0) is the
/// centre of the central module of the code.
///
/// It starts from a finder pattern and grows outwards: where two neighbouring modules differ, the edge between them is
/// measured, and the homography is corrected so that the edges lie half-way between the modules (Gauss-Newton steps on
/// the positions of edges). So the code's own edges give the perspective, which a small central pattern cannot.
struct ModulePlane {
    /// The rows of the matrix.
    private var rows: [SIMD3<Double>]

    init(centre: SIMD2<Double>, along: SIMD2<Double>, down: SIMD2<Double>) {
        rows = [SIMD3(along.x, down.x, centre.x), SIMD3(along.y, down.y, centre.y), SIMD3(0, 0, 1)]
    }

    /// Returns the pixel of a position in modules.
    func pixel(_ x: Double, _ y: Double) -> SIMD2<Double> {
        let position = SIMD3(x, y, 1)
        let w = (rows[2] * position).sum()
        return SIMD2((rows[0] * position).sum(), (rows[1] * position).sum()) / (abs(w) < 1e-9 ? 1e-9 : w)
    }

    /// The lowest share of differing neighbours for a ring of modules to belong to a code.
    private static let leastEdges = 0.2
    /// The largest offset of an edge, in modules.
    private static let mostShift = 0.4
    /// The number of fitted rings for each ring that is added at once, up to the certain radius.
    private static let ringsOfStep = 6

    /// Fits the grid to the edges in the image, ring by ring.
    ///
    /// - Parameters:
    ///   - start: The radius of the finder pattern, in modules.
    ///   - certain: The smallest radius of the code: rings up to it need no edges.
    ///   - limit: The largest radius of the code.
    /// - Returns: The radius of the code, in modules.
    mutating func grow(in field: ContrastField, from start: Int, certain: Int, to limit: Int) -> Int {
        var reach = start
        while true {
            for _ in 0..<2 {
                guard let correction = correction(in: field, reach: reach) else { return reach }
                apply(correction)
            }
            guard reach < limit else { return reach }
            guard reach >= certain else {
                // Farther out the grid is known well enough for several rings at once.
                reach = min(certain, reach + max(1, reach / Self.ringsOfStep))
                continue
            }
            guard differing(in: field, ring: reach + 1) >= Self.leastEdges else { return reach }
            reach += 1
        }
    }

    /// Returns the share of the modules within a radius that agree with concentric squares: every second ring dark,
    /// from the centre on.
    func concentricShare(in field: ContrastField, reach: Int, hasLightMiddle: Bool) -> Double {
        var right = 0
        for y in -reach...reach {
            for x in -reach...reach {
                guard let value = field.value(pixel(Double(x), Double(y))) else { continue }
                if ((value < 0) != hasLightMiddle) == (max(abs(x), abs(y)) % 2 == 0) { right += 1 }
            }
        }
        return Double(right) / Double((2 * reach + 1) * (2 * reach + 1))
    }

    /// Returns the share of neighbours along a ring of modules that differ in brightness.
    private func differing(in field: ContrastField, ring: Int) -> Double {
        var (edges, pairs) = (0, 0)
        for side in 0..<4 {
            var last: Bool?
            for step in -ring..<ring {
                let (a, b) = (Double(step), Double(ring))
                let (x, y) = [(a, -b), (b, a), (-a, b), (-b, -a)][side]
                guard let value = field.value(pixel(x, y)) else { continue }
                if let last {
                    pairs += 1
                    if last != (value >= 0) { edges += 1 }
                }
                last = value >= 0
            }
        }
        // A ring that lies half outside the image does not count.
        return pairs >= 4 * ring ? Double(edges) / Double(pairs) : 0
    }

    /// Returns the correction of the homography, in modules, by the edges within a radius.
    private func correction(in field: ContrastField, reach: Int) -> [Double]? {
        var system = NormalEquations(count: 8)
        // The outer part is the most informative; the inside of large codes is left out.
        let inner = reach > 12 ? reach - 12 : 0
        for y in -reach...reach {
            for x in -reach...reach where max(abs(x), abs(y)) >= inner {
                for isAlong in [true, false] {
                    guard (isAlong ? x : y) < reach else { continue }
                    let (u, v) = (Double(x), Double(y))
                    guard let shift = edgeShift(in: field, u, v, isAlong: isAlong) else { continue }
                    let (px, py) = isAlong ? (u + 0.5, v) : (u, v + 0.5)
                    system.add(
                        isAlong
                            ? [1, px, py, 0, 0, 0, px * px, px * py] : [0, 0, 0, 1, px, py, px * py, py * py],
                        value: shift)
                }
            }
        }
        guard system.equations >= 12 else { return nil }
        // Perspective cannot be distinguished from noise with few modules.
        let stiffness = reach < 5 ? 1e6 : 1e-3 * Double(system.equations)
        return system.solved(extra: [6: stiffness, 7: stiffness])
    }

    /// Returns the distance of the edge between two neighbouring modules from the centre between them.
    private func edgeShift(in field: ContrastField, _ x: Double, _ y: Double, isAlong: Bool) -> Double? {
        let samples = 8
        func value(_ step: Int) -> Double? {
            let t = Double(step) / Double(samples)
            return field.value(isAlong ? pixel(x + t, y) : pixel(x, y + t))
        }
        guard var last = value(0), let end = value(samples), (last >= 0) != (end >= 0), abs(last - end) > 6 else {
            return nil
        }
        for step in 1...samples {
            guard let next = value(step) else { return nil }
            if (next >= 0) != (last >= 0) {
                let t = (Double(step) - next / (next - last)) / Double(samples)
                return abs(t - 0.5) <= Self.mostShift ? t - 0.5 : nil
            }
            last = next
        }
        return nil
    }

    /// Returns the plane whose axes are turned about its origin.
    func turned(by angle: Double) -> ModulePlane {
        let (c, s) = (cos(angle), sin(angle))
        var turned = self
        turned.rows = rows.map { SIMD3($0.x * c + $0.y * s, $0.y * c - $0.x * s, $0.z) }
        return turned
    }

    /// Moves the plane by the coefficients of an affine and a perspective correction, in modules: those of 1, x and y
    /// for the first axis and for the second, and two for x and y times the position.
    mutating func apply(_ p: [Double]) {
        let change = [SIMD3(1 + p[1], p[2], p[0]), SIMD3(p[4], 1 + p[5], p[3]), SIMD3(-p[6], -p[7], 1)]
        rows = rows.map { row in row.x * change[0] + row.y * change[1] + row.z * change[2] }
    }

    /// Whether a module is dark; light beyond the image.
    func isDark(_ x: Int, _ y: Int, in field: ContrastField, isInverted: Bool) -> Bool {
        // The mean of five positions, so that a speck does not flip a module.
        var sum = 0.0
        for (dx, dy) in [(0.0, 0.0), (0.15, 0.15), (-0.15, 0.15), (0.15, -0.15), (-0.15, -0.15)] {
            sum += field.value(pixel(Double(x) + dx, Double(y) + dy)) ?? (isInverted ? -1 : 1)
        }
        return (sum < 0) != isInverted
    }

    /// Returns the modules within a reach, row by row: 0 for dark ones, 255 for light ones.
    func modules(in field: ContrastField, reach: Int, isInverted: Bool) -> [UInt8] {
        (-reach...reach).flatMap { y in
            (-reach...reach).map { x in isDark(x, y, in: field, isInverted: isInverted) ? 0 : 255 }
        }
    }
}

/// Linear least squares with few unknowns.
struct NormalEquations {
    private var matrix: [[Double]]
    private var right: [Double]
    private(set) var equations = 0

    init(count: Int) {
        matrix = Array(repeating: Array(repeating: 0, count: count), count: count)
        right = Array(repeating: 0, count: count)
    }

    mutating func add(_ factors: [Double], value: Double) {
        equations += 1
        for i in factors.indices where factors[i] != 0 {
            right[i] += factors[i] * value
            for j in factors.indices { matrix[i][j] += factors[i] * factors[j] }
        }
    }

    /// Solves by elimination; nil where the system is singular.
    func solved(extra: [Int: Double]) -> [Double]? {
        var (a, b) = (matrix, right)
        let count = b.count
        for i in 0..<count { a[i][i] += 1e-6 * Double(equations) + (extra[i] ?? 0) }
        for i in 0..<count {
            guard let pivot = (i..<count).max(by: { abs(a[$0][i]) < abs(a[$1][i]) }), abs(a[pivot][i]) > 1e-9 else {
                return nil
            }
            a.swapAt(i, pivot)
            b.swapAt(i, pivot)
            for row in (i + 1)..<max(i + 1, count) {
                let factor = a[row][i] / a[i][i]
                guard factor != 0 else { continue }
                for column in i..<count { a[row][column] -= factor * a[i][column] }
                b[row] -= factor * b[i]
            }
        }
        for i in stride(from: count - 1, through: 0, by: -1) {
            for column in (i + 1)..<max(i + 1, count) { b[i] -= a[i][column] * b[column] }
            b[i] /= a[i][i]
        }
        return b.allSatisfy(\.isFinite) ? b : nil
    }
}
