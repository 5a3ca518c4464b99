import Foundation
import VisionImage

/// Three candidate finder patterns of one QR code, and the grid between them.
struct QRGrid {
    /// The patterns at the top left, the top right and the bottom left of the code.
    private let corner, right, bottom: FinderPattern
    /// The deviation of the three from the corners of a square.
    private let deviation: Double
    /// The approximate number of modules between the centres of two patterns.
    private let distance: Double

    var isInverted: Bool { corner.isInverted }

    /// The lowest share of correct modules of the timing patterns.
    private static let leastTiming = 0.62
    /// The growth of the fitted area from one step to the next, relative to the side.
    private static let growths = [0.05, 0.12]

    /// Returns the most plausible triples, the best first.
    static func find(among patterns: [FinderPattern], most: Int) -> [QRGrid] {
        var found: [QRGrid] = []
        for corner in patterns.indices {
            for one in patterns.indices where one != corner {
                for other in patterns.indices where other > one && other != corner {
                    if let grid = QRGrid(patterns[corner], patterns[one], patterns[other]) { found.append(grid) }
                }
            }
        }
        return Array(found.sorted { $0.deviation < $1.deviation }.prefix(most))
    }

    private init?(_ corner: FinderPattern, _ one: FinderPattern, _ other: FinderPattern) {
        let areas = [corner.area, one.area, other.area]
        guard corner.isInverted == one.isInverted, corner.isInverted == other.isInverted,
            let least = areas.min(), let most = areas.max(), most < 5 * least
        else { return nil }
        let (a, b) = (one.centre - corner.centre, other.centre - corner.centre)
        (right, bottom) = a.x * b.y - a.y * b.x > 0 ? (one, other) : (other, one)
        self.corner = corner
        // Seen from the corner the others lie along the sides of its squares.
        let (p, q) = (corner.modules(to: right.centre), corner.modules(to: bottom.centre))
        let (far, near) = (
            max((p * p).sum(), (q * q).sum()).squareRoot(), min((p * p).sum(), (q * q).sum()).squareRoot()
        )
        guard near > 11, far < 2.5 * near else { return nil }
        func slant(_ p: SIMD2<Double>) -> Double { min(abs(p.x), abs(p.y)) / max(abs(p.x), abs(p.y)) }
        let cosine = abs((p * q).sum()) / (far * near)
        guard slant(p) < 0.4, slant(q) < 0.4, cosine < 0.5 else { return nil }
        deviation = slant(p) + slant(q) + cosine + far / near - 1
        // The modules of the three patterns, in the middle, measure the distances.
        func length(_ from: FinderPattern, _ to: FinderPattern) -> Double {
            let (there, back) = (from.modules(to: to.centre), to.modules(to: from.centre))
            return ((there * there).sum() * (back * back).sum()).squareRoot().squareRoot()
        }
        distance = (length(corner, right) + length(corner, bottom)) / 2
    }

    /// Returns the grids to try, fitted to the image; none where the timing patterns fit no version.
    func fitted(in field: ContrastField) -> [GridFit] {
        let estimate = (distance + 7 - 17) / 4
        let reach = max(1, estimate * 0.1)
        var best: (grid: GridFit, share: Double)?
        // Patterns that belong to different codes may be any distance apart.
        for version in 1...40 where abs(Double(version) - estimate) <= reach + 0.5 {
            let side = QRFormat.side(ofVersion: version)
            guard let grid = GridFit(columns: side, rows: side, matches: matches(side: side)) else { continue }
            let share = timingShare(of: grid, in: field)
            if share > best?.share ?? Self.leastTiming { best = (grid, share) }
        }
        guard let best else { return [] }
        // The fit grows from the three patterns to the fourth corner: in one step with its alignment pattern.
        var grids: [GridFit] = []
        var (start, side) = (best.grid, best.grid.columns)
        for _ in 0..<2 { start.fit(in: field) { x, y in x + y <= side + 4 } }
        if let alignment = alignment(of: start, in: field) {
            let known = matches(side: side, by: start)
            if var grid = GridFit(columns: side, rows: side, matches: known + [alignment, alignment, alignment]) {
                for _ in 0..<4 { grid.fit(in: field) }
                grids.append(grid)
            }
        }
        for growth in Self.growths {
            var grid = best.grid
            var part = 0.9
            while part < 2 {
                part = min(2, part + growth)
                let limit = Int((part * Double(side)).rounded())
                for _ in 0..<2 { grid.fit(in: field) { x, y in x + y < limit } }
            }
            grids.append(grid)
        }
        return grids
    }

    /// Returns the alignment pattern near the fourth corner, close to its position in the grid.
    private func alignment(of grid: GridFit, in field: ContrastField) -> GridFit.Match? {
        let side = grid.columns
        guard side > 21 else { return nil }
        let middle = Double(side) - 6.5
        var best: (offset: SIMD2<Double>, right: Int)?
        // The nearest ones first.
        var steps: [SIMD2<Double>] = []
        for v in -8...8 {
            for u in -8...8 { steps.append(SIMD2(Double(u) / 2, Double(v) / 2)) }
        }
        steps.sort { ($0 * $0).sum() < ($1 * $1).sum() }
        for offset in steps {
            var right = 0
            for y in -2...2 {
                for x in -2...2 {
                    let isDark = max(abs(x), abs(y)) != 1
                    let pixel = grid.pixel(middle + offset.x + Double(x), middle + offset.y + Double(y))
                    guard let value = field.value(pixel) else { continue }
                    if ((value < 0) != isInverted) == isDark { right += 1 }
                }
            }
            if right > best?.right ?? 22 { best = (offset, right) }
        }
        guard let best else { return nil }
        return .init(
            position: SIMD2(middle, middle), pixel: grid.pixel(middle + best.offset.x, middle + best.offset.y))
    }

    /// Returns positions in the three finder patterns with their pixels, for the fit of the grid.
    private func matches(side: Int, by grid: GridFit) -> [GridFit.Match] {
        let far = Double(side) - 7
        let origins: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(far, 0), SIMD2(0, far)]
        let corners: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(7, 0), SIMD2(0, 7), SIMD2(7, 7)]
        return origins.flatMap { origin in
            corners.map { corner -> GridFit.Match in
                let position = origin + corner
                return GridFit.Match(position: position, pixel: grid.pixel(position.x, position.y))
            }
        }
    }

    /// Sets the known modules of a fitted grid: the finder and timing patterns.
    static func repair(_ dark: inout [Bool], side: Int) {
        for y in 0..<8 {
            for x in 0..<8 {
                let ring = max(abs(x - 3), abs(y - 3))
                let isDark = ring <= 1 || ring == 3
                dark[y * side + x] = isDark
                dark[y * side + side - 1 - x] = isDark
                dark[(side - 1 - y) * side + x] = isDark
            }
        }
        for position in 8..<(side - 8) {
            dark[6 * side + position] = position % 2 == 0
            dark[position * side + 6] = position % 2 == 0
        }
    }

    private func matches(side: Int) -> [GridFit.Match] {
        let (toRight, toBottom) = (right.centre - corner.centre, bottom.centre - corner.centre)
        let last = Double(side) - 3.5
        return [(corner, SIMD2(3.5, 3.5)), (right, SIMD2(last, 3.5)), (bottom, SIMD2(3.5, last))].flatMap {
            pattern, middle in
            let (along, down) = (pattern.step(towards: toRight), pattern.step(towards: toBottom))
            return [(-2.5, -2.5), (2.5, -2.5), (2.5, 2.5), (-2.5, 2.5)].map { u, v in
                GridFit.Match(position: middle + SIMD2(u, v), pixel: pattern.centre + u * along + v * down)
            }
        }
    }

    private func timingShare(of grid: GridFit, in field: ContrastField) -> Double {
        let positions = Array(7..<(grid.columns - 7))
        var right = 0
        for position in positions {
            let p = Double(position) + 0.5
            for pixel in [grid.pixel(p, 6.5), grid.pixel(6.5, p)] {
                guard let value = field.value(pixel) else { continue }
                if ((value < 0) != isInverted) == (position % 2 == 0) { right += 1 }
            }
        }
        return Double(right) / Double(2 * positions.count)
    }
}
