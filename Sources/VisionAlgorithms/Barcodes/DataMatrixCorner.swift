import Foundation

/// The fourth corner of a Data Matrix symbol, opposite to the one in which its solid sides meet.
///
/// Where the alternating sides cannot be followed module by module – ink joins them, or the surface is bent – the
/// corner is searched for around the crossing of the outermost lines that touch them, for each size of symbol, by the
/// number of modules of these sides that are as they have to be.
extension DataMatrixGrid {
    /// The largest angle between an alternating side and the opposite solid side, as a tangent, and its step.
    private static let (mostAngle, angleStep) = (0.35, 0.01)
    /// The lowest share of dark pixels along a line that touches modules.
    private static let leastTouching = 0.12
    /// The range of the search around the crossing and the steps that refine it, in modules.
    private static let (cornerReach, cornerSteps) = (4, [0.5, 0.25])
    /// The lowest number of right modules above half of them, in standard deviations of tossed coins.
    private static let leastEvidence = 4.0
    private static let mostSizes = 2

    /// Returns the fitted grids of the sizes with the most evidence.
    static func cornerGrids(of border: Border, in field: ContrastField) -> [GridFit] {
        let (up, across) = (border.top - border.corner, border.right - border.corner)
        guard let top = touchingLine(from: border.top, along: across, outwards: up, in: field),
            let right = touchingLine(from: border.right, along: up, outwards: across, in: field)
        else { return [] }
        let cross = top.x * right.y - top.y * right.x
        guard abs(cross) > 1e-6 else { return [] }
        let offset = border.right - border.top
        let crossing = border.top + top * ((offset.x * right.y - offset.y * right.x) / cross)
        var found: [(evidence: Double, grid: GridFit)] = []
        for (rows, columns) in sizes {
            let (down, along) = (-up / Double(rows), across / Double(columns))
            let (height, width) = (length(down), length(along))
            guard min(height, width) >= leastModule, max(height, width) < 1.8 * min(height, width) else { continue }
            func evidence(_ corner: SIMD2<Double>) -> Double {
                SidesInPerspective(border, corner: corner).evidence(rows: rows, columns: columns, in: field)
            }
            var best = (evidence: -Double.infinity, corner: crossing)
            func consider(_ corner: SIMD2<Double>) {
                let found = evidence(corner)
                if found > best.evidence { best = (found, corner) }
            }
            for y in -cornerReach...cornerReach {
                for x in -cornerReach...cornerReach { consider(crossing + Double(x) * along + Double(y) * down) }
            }
            for step in cornerSteps {
                let middle = best.corner
                for y in -1...1 {
                    for x in -1...1 { consider(middle + step * (Double(x) * along + Double(y) * down)) }
                }
            }
            guard best.evidence >= leastEvidence,
                var grid = GridFit(
                    columns: columns, rows: rows,
                    matches: [
                        .init(position: SIMD2(0, 0), pixel: border.top),
                        .init(position: SIMD2(Double(columns), 0), pixel: best.corner),
                        .init(position: SIMD2(Double(columns), Double(rows)), pixel: border.right),
                        .init(position: SIMD2(0, Double(rows)), pixel: border.corner),
                    ])
            else { continue }
            for _ in 0..<2 { grid.fit(in: field) }
            found.append((best.evidence, grid))
        }
        return found.sorted { $0.evidence > $1.evidence }.prefix(mostSizes).map(\.grid)
    }

    private static func length(_ p: SIMD2<Double>) -> Double { (p * p).sum().squareRoot() }

    /// Returns the direction of the outermost line from a point that touches dark modules.
    private static func touchingLine(
        from start: SIMD2<Double>, along side: SIMD2<Double>, outwards: SIMD2<Double>, in field: ContrastField
    ) -> SIMD2<Double>? {
        let size = length(side)
        let normal = outwards / max(1e-9, length(outwards)) * size
        var slant = mostAngle
        while slant >= -mostAngle {
            let ray = side + normal * slant
            var (dark, count) = (0, 0)
            var position = 2.0
            while position < 0.95 * size {
                if field.value(start + ray * (position / size)) ?? 1 < 0 { dark += 1 }
                count += 1
                position += 1
            }
            if Double(dark) >= leastTouching * Double(count) { return ray }
            slant -= angleStep
        }
        return nil
    }
}

/// The alternating sides of a symbol with four known corners.
private struct SidesInPerspective {
    private let origin, along, down: SIMD2<Double>
    private let slope: SIMD2<Double>

    /// The map of the unit square to four corners in closed form (Heckbert, 1989).
    init(_ border: DataMatrixGrid.Border, corner: SIMD2<Double>) {
        let sum = border.top - corner + border.right - border.corner
        let (a, b) = (corner - border.right, border.corner - border.right)
        let cross = a.x * b.y - b.x * a.y
        let divisor = abs(cross) < 1e-9 ? 1e-9 : cross
        slope = SIMD2(sum.x * b.y - b.x * sum.y, a.x * sum.y - sum.x * a.y) / divisor
        origin = border.top
        along = corner - border.top + slope.x * corner
        down = border.corner - border.top + slope.y * border.corner
    }

    private func pixel(_ x: Double, _ y: Double) -> SIMD2<Double> {
        let w = 1 + slope.x * x + slope.y * y
        return (origin + along * x + down * y) / (abs(w) < 1e-9 ? 1e-9 : w)
    }

    /// Returns by how many standard deviations more modules are right than of tossed coins.
    func evidence(rows: Int, columns: Int, in field: ContrastField) -> Double {
        let (width, height) = (1 / Double(columns), 1 / Double(rows))
        var right = 0
        for x in 0..<columns {
            let value = field.value(pixel((Double(x) + 0.5) * width, 0.5 * height)) ?? 1
            if (value < 0) == (x % 2 == 0) { right += 1 }
        }
        for y in 0..<rows {
            let value = field.value(pixel(1 - 0.5 * width, (Double(y) + 0.5) * height)) ?? 1
            if (value < 0) == (y % 2 == 1) { right += 1 }
        }
        let count = Double(rows + columns)
        return (2 * Double(right) - count) / count.squareRoot()
    }
}
