import Foundation
import VisionImage

/// A Data Matrix symbol in an image, found by its borders: two solid sides that meet in a corner, and two timing sides
/// of alternating modules.
struct DataMatrixGrid {
    /// The solid sides: from the corner at the bottom left up and to the right.
    struct Border {
        var corner, top, right: SIMD2<Double>
        var length: Double { Self.length(top - corner) + Self.length(right - corner) }

        static func length(_ p: SIMD2<Double>) -> Double { (p * p).sum().squareRoot() }
    }

    /// A line along a side of alternating modules.
    private struct Timing {
        var start, end: SIMD2<Double>
        /// The distance of the line from the side, in modules.
        var depth = 0.5
        /// The changes between modules, the first at the start.
        var changes: [SIMD2<Double>]
        /// The irregularity of its runs, relative to a module.
        var irregularity: Double
    }

    let grid: GridFit
    /// The grid with columns and rows where the alternating sides have them; nil where these were not followed.
    private let unevenGrid: GridFit?
    private let irregularity: Double

    static let leastModule = 1.5
    private static let mostRegions = 6
    /// The number of borders whose fourth corner is searched for, that of less regular grids whose evidence is
    /// compared, and how many of these are returned.
    private static let (mostCornerSearches, mostCompared, mostOthers) = (2, 24, 3)
    /// The largest angle between a timing side and the opposite solid side, as a tangent.
    private static let mostSlant = 0.35
    /// The largest deviation of the runs of a timing border from their neighbours, relative to a module.
    private static let mostIrregularity = 0.3
    /// The longest run of a module of a timing side, and the lengths of three that are joined, in modules of mean size;
    /// the maximum number of such runs, and what one adds to the irregularity.
    private static let (longestRun, leastJoinedRun, longestJoinedRun) = (2.6, 2.1, 3.8)
    private static let (mostJoined, joinedIrregularity) = (2, 0.05)
    /// Rows and columns: ISO/IEC 16022, then the rectangles of ISO/IEC 21471.
    static let sizes: [(rows: Int, columns: Int)] =
        [10, 12, 14, 16, 18, 20, 22, 24, 26, 32, 36, 40, 44, 48, 52, 64, 72, 80, 88, 96, 104, 120, 132, 144]
        .map { ($0, $0) } + [
            (8, 18), (8, 32), (12, 26), (12, 36), (16, 36), (16, 48), (8, 48), (8, 64), (8, 80), (8, 96), (8, 120),
            (8, 144), (12, 64), (12, 88), (16, 64), (20, 36), (20, 44), (20, 64), (22, 48), (24, 48), (24, 64),
            (26, 40), (26, 48), (26, 64),
        ]

    /// Returns the symbols of an image with dark modules: the most regular ones, then those of others whose edges
    /// between modules lie closest to their lines.
    ///
    /// - Parameter most: The maximum number of regular ones.
    static func find(in field: ContrastField, most: Int) -> [DataMatrixGrid] {
        var found: [DataMatrixGrid] = []
        var all: [Border] = []
        for region in DarkRegions.find(in: field, leastSide: Int(8 * leastModule), most: mostRegions) {
            for border in borders(of: region.hull, in: field) {
                all.append(border)
                found += sizes.compactMap { DataMatrixGrid(border, rows: $0.rows, columns: $0.columns, in: field) }
            }
        }
        found.sort { $0.irregularity < $1.irregularity }
        var others = found.dropFirst(most).prefix(mostCompared).map { $0 }
        for border in all.sorted(by: { $0.length > $1.length }).prefix(mostCornerSearches) {
            others += cornerGrids(of: border, in: field).map(DataMatrixGrid.init)
        }
        let evidence = others.map { max($0.grid.evidence(in: field), $0.unevenGrid?.evidence(in: field) ?? 0) }
        let order = others.indices.sorted { (-evidence[$0], $0) < (-evidence[$1], $1) }
        return found.prefix(most) + order.prefix(mostOthers).map { others[$0] }
    }

    private init(grid: GridFit) {
        self.grid = grid
        unevenGrid = nil
        irregularity = 0
    }

    // MARK: - Solid sides

    /// Returns pairs of long straight sides of a hull that meet and are solid.
    private static func borders(of hull: [SIMD2<Double>], in field: ContrastField) -> [Border] {
        let sides = straightSides(of: hull).filter { isSolid($0.0, $0.1, in: field) }
        var borders: [Border] = []
        for (a, b) in sides {
            for (c, d) in sides {
                // On the screen the hull runs clockwise: down the right, along the bottom, up the left side. The
                // bottom, which runs from its right end to the corner, comes before the left side, which runs from the
                // corner to its top.
                let (one, other) = (b - a, d - c)
                let cross = one.x * other.y - one.y * other.x
                let (p, q) = (Border.length(one), Border.length(other))
                guard cross > 0.5 * p * q else { continue }
                let t = ((c - a).x * other.y - (c - a).y * other.x) / cross
                let corner = a + t * one
                let reach = 0.15 * min(p, q) + 2
                guard Border.length(corner - b) < reach, Border.length(corner - c) < reach else { continue }
                borders.append(Border(corner: corner, top: d, right: a))
            }
        }
        return borders.sorted { $0.length > $1.length }
    }

    /// Returns the longest nearly straight parts of a hull.
    private static func straightSides(of hull: [SIMD2<Double>]) -> [(SIMD2<Double>, SIMD2<Double>)] {
        guard hull.count >= 3 else { return [] }
        let perimeter = hull.indices.reduce(0.0) { $0 + Border.length(hull[($1 + 1) % hull.count] - hull[$1]) }
        var sides: [(start: Int, count: Int, length: Double)] = []
        for start in hull.indices {
            var best: (Int, Double)?
            for count in 1..<hull.count {
                let (a, b) = (hull[start], hull[(start + count) % hull.count])
                let length = Border.length(b - a)
                let reach = max(1.2, 0.015 * length)
                let isStraight = (1..<count).allSatisfy { step in
                    let p = hull[(start + step) % hull.count] - a
                    return abs((b - a).x * p.y - (b - a).y * p.x) <= reach * length
                }
                guard isStraight else { break }
                if length > best?.1 ?? 0 { best = (count, length) }
            }
            if let (count, length) = best, length > 0.12 * perimeter { sides.append((start, count, length)) }
        }
        var chosen: [(start: Int, count: Int, length: Double)] = []
        for side in sides.sorted(by: { $0.length > $1.length }) where chosen.count < 6 {
            // Neighbours may share the short edges of a round corner.
            let edges = Set((0..<side.count).map { (side.start + $0) % hull.count })
            let isNew = chosen.allSatisfy { other in
                let shared = (0..<other.count).map { (other.start + $0) % hull.count }.filter(edges.contains)
                let length = shared.reduce(0.0) { $0 + Border.length(hull[($1 + 1) % hull.count] - hull[$1]) }
                return length < 0.2 * side.length
            }
            if isNew { chosen.append(side) }
        }
        return chosen.map { (hull[$0.start], hull[($0.start + $0.count) % hull.count]) }
    }

    /// Whether the first dark pixel behind a side is at about the same depth all along it.
    private static func isSolid(_ a: SIMD2<Double>, _ b: SIMD2<Double>, in field: ContrastField) -> Bool {
        let length = Border.length(b - a)
        guard length >= 8 * leastModule else { return false }
        let direction = (b - a) / length
        // The hull has its inside on the right.
        let inwards = SIMD2(-direction.y, direction.x)
        let deepest = 2 + 0.04 * length
        var (last, jumps, missing) = (Double?.none, 0, 0)
        let count = Int(length)
        for step in 1..<count {
            var depth = -1.0
            while depth <= deepest {
                if let value = field.value(a + Double(step) * direction + depth * inwards), value < -3 { break }
                depth += 0.5
            }
            if depth > deepest { missing += 1 }
            if let last, abs(depth - last) > 1.2 { jumps += 1 }
            last = depth
        }
        return jumps <= 5 && missing * 20 < count
    }

    // MARK: - Timing

    private init?(_ border: Border, rows: Int, columns: Int, in field: ContrastField) {
        let (up, across) = (border.top - border.corner, border.right - border.corner)
        let (height, width) = (Border.length(up) / Double(rows), Border.length(across) / Double(columns))
        guard min(height, width) >= Self.leastModule, max(height, width) < 1.8 * min(height, width),
            let top = Self.timing(
                beside: border.top, inwards: -up / Double(rows), along: across, count: columns, in: field),
            let right = Self.timing(
                beside: border.right, inwards: -across / Double(columns), along: up, count: rows, in: field)
        else { return nil }
        let (one, other) = (top.end - top.start, right.end - right.start)
        let cross = one.x * other.y - one.y * other.x
        guard abs(cross) > 0.3 * Border.length(one) * Border.length(other) else { return nil }
        let offset = right.start - top.start
        let corner = top.start + one * ((offset.x * other.y - offset.y * other.x) / cross)
        let (last, bottom) = (Double(columns) - right.depth, Double(rows))
        guard
            let grid = GridFit(
                columns: columns, rows: rows,
                matches: [
                    .init(position: SIMD2(0, top.depth), pixel: top.start),
                    .init(position: SIMD2(last, top.depth), pixel: corner),
                    .init(position: SIMD2(last, bottom), pixel: right.start),
                    .init(position: SIMD2(0, bottom), pixel: border.corner),
                ])
        else { return nil }
        self.grid = grid
        unevenGrid = grid.withLines(
            betweenColumns: top.changes.enumerated().map { .init(number: $0.offset, pixel: $0.element) },
            betweenRows: right.changes.enumerated().map { .init(number: rows - $0.offset, pixel: $0.element) })
        irregularity = top.irregularity + right.irregularity
    }

    /// Returns a line through the alternating modules of a side: through their middles, or nearer to the edge, where
    /// ink that spreads joins them with the modules behind them.
    private static func timing(
        beside end: SIMD2<Double>, inwards: SIMD2<Double>, along side: SIMD2<Double>, count: Int,
        in field: ContrastField
    ) -> Timing? {
        for joining in [false, true] {
            for depth in [0.5, 0.2] {
                guard
                    var timing = timing(
                        from: end + inwards * depth, along: side, count: count, joining: joining, in: field)
                else { continue }
                timing.depth = depth
                return timing
            }
        }
        return nil
    }

    /// Returns the most regular line from a point that crosses `count` alternating dark and light modules, the last one
    /// light.
    ///
    /// - Parameter joining: Whether long runs are taken for three modules.
    private static func timing(
        from start: SIMD2<Double>, along side: SIMD2<Double>, count: Int, joining: Bool, in field: ContrastField
    ) -> Timing? {
        let length = Border.length(side)
        let direction = side / length
        let normal = SIMD2(-direction.y, direction.x)
        let module = length / Double(count)
        let step = 0.25 * module
        let half = Int((mostSlant * length / (0.4 * module)).rounded(.up))
        var best: Timing?
        for turn in -half...half {
            let ray = direction + normal * (mostSlant * Double(turn) / Double(half))
            var edges = [0.0]
            var (isDark, position, joined) = (true, 0.25 * module, 0)
            while position < 1.5 * length {
                position += step
                let value = field.value(start + position * ray) ?? 1
                let run = position - (edges.last ?? 0)
                if (value < 0) != isDark {
                    if joining, run > leastJoinedRun * module {
                        // Three modules, the middle one filled by ink or light.
                        joined += 1
                        edges += [position - run * 2 / 3, position - run / 3]
                    }
                    isDark.toggle()
                    edges.append(position)
                    if edges.count > count || joined > mostJoined { break }
                } else if run > (joining ? longestJoinedRun : longestRun) * module {
                    break
                }
            }
            // Alternating dark and light modules, with light after the last dark one.
            guard edges.count == count, !isDark, let end = edges.last, end > 0.65 * length else { continue }
            let mean = end / Double(count - 1)
            var sum = 0.0
            for index in 2..<edges.count - 1 {
                let here = edges[index] - edges[index - 1]
                sum += abs(2 * here - (edges[index - 1] - edges[index - 2]) - (edges[index + 1] - edges[index])) / 4
            }
            let irregularity = sum / Double(edges.count - 3) / mean + Double(joined) * joinedIrregularity
            if irregularity < best?.irregularity ?? mostIrregularity {
                best = Timing(
                    start: start, end: start + ray * (end + mean / 2), changes: edges.map { start + ray * $0 },
                    irregularity: irregularity)
            }
        }
        return best
    }

    // MARK: - Modules

    /// Returns the grids to try: fitted to all edges, that of the borders, and one whose modules are unevenly wide, as
    /// on paper that a printer or scanner did not move steadily.
    func fitted(in field: ContrastField) -> [GridFit] {
        var fitted = grid
        for _ in 0..<4 { fitted.fit(in: field) }
        guard var uneven = unevenGrid else { return [fitted, grid] }
        let original = uneven
        for _ in 0..<3 { uneven.fitBend(in: field) }
        return [fitted, grid, original, uneven]
    }

    /// Sets the modules of the borders, which are known.
    static func repair(_ dark: inout [Bool], columns: Int) {
        let rows = dark.count / columns
        for x in 0..<columns {
            dark[x] = x % 2 == 0
            dark[(rows - 1) * columns + x] = true
        }
        for y in 0..<rows {
            dark[y * columns] = true
            dark[y * columns + columns - 1] = y % 2 == 1
        }
    }
}
