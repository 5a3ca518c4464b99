/// Finds the characters of a text line by its ink.
///
/// A connected component is a character; dots and accents are joined with what is below them. A component that is too
/// wide for one character is cut at columns with little ink, into parts about as wide as the other characters.
/// Connected script is cut by width alone.
package struct TextCharacterFinder {
    private let image: TextPyramid

    /// The value above which a pixel is ink.
    private static let threshold: Float = 0.6
    /// The smallest area of a component, in pixels of the strip: a dot is larger.
    private static let smallest = 20
    private static let regionLimit = 1_000

    package init(_ image: TextPyramid) { self.image = image }

    /// Returns the bounding boxes of a text line's characters in reading order, rotated like the line.
    ///
    /// - Parameter line: In pixels of the image.
    package func characters(of line: RotatedBox) throws -> [RotatedBox] {
        guard line.length > 1, line.height > 1, line.quad.isFinite, let strip = try TextStrip(of: line, in: image)
        else { return [] }
        let map = TextMap(width: strip.width, height: strip.height, values: strip.ink)
        let pieces = map.regions(above: Self.threshold, smallest: Self.smallest, limit: Self.regionLimit)
            .map(InkPiece.init).filter { $0.belongs(to: strip) }
        let groups = InkPiece.grouped(pieces)
        guard let measure = InkMeasure(groups) else { return [] }
        let parts = groups.flatMap { group in
            measure.cuts(of: group, in: strip).map { (columns: $0, group: group) }
        }
        return parts.compactMap { part in
            part.group.extent(in: part.columns).map {
                strip.box(
                    left: Double($0.left), top: Double($0.top), right: Double($0.right), bottom: Double($0.bottom))
            }
        }
    }
}

/// A connected component of ink: a character, or several that touch.
struct InkPiece {
    var runs: [(row: Int, start: Int, end: Int)]
    var left: Int
    var right: Int
    var top: Int
    var bottom: Int

    var width: Int { right - left }
    var height: Int { bottom - top }

    init(_ region: TextRegion) {
        runs = region.runs
        left = runs.map(\.start).min() ?? 0
        right = runs.map(\.end).max() ?? 0
        top = runs.first?.row ?? 0
        bottom = (runs.last?.row ?? -1) + 1
    }

    /// Returns false for frames, rules and parts of the text lines above and below.
    func belongs(to strip: TextStrip) -> Bool {
        let middle = Double(top + bottom) / 2
        guard middle > strip.top, middle < strip.bottom else { return false }
        let touchesTop = top == 0
        let touchesBottom = bottom == strip.height
        if touchesTop && touchesBottom { return false }
        // Components that enter the line from outside, and those that run along it.
        if touchesTop, Double(bottom) < (strip.top + strip.bottom) / 2 { return false }
        if touchesBottom, Double(top) > (strip.top + strip.bottom) / 2 { return false }
        return !(touchesTop || touchesBottom) || width < 3 * strip.height
    }

    /// Returns the bounding box of the ink in some of the columns; nil without ink.
    func extent(in columns: Range<Int>) -> (left: Int, top: Int, right: Int, bottom: Int)? {
        var extent: (left: Int, top: Int, right: Int, bottom: Int)?
        for run in runs where run.start < columns.upperBound && run.end > columns.lowerBound {
            let (start, end) = (max(run.start, columns.lowerBound), min(run.end, columns.upperBound))
            let old = extent ?? (start, run.row, end, run.row + 1)
            extent = (min(old.left, start), min(old.top, run.row), max(old.right, end), max(old.bottom, run.row + 1))
        }
        return extent
    }

    /// Merges components that are above one another: dots, accents, the parts of a percent sign.
    static func grouped(_ pieces: [InkPiece]) -> [InkPiece] {
        var groups: [InkPiece] = []
        for piece in pieces.sorted(by: { ($0.left, $0.right, $0.top) < ($1.left, $1.right, $1.top) }) {
            // A wide component may come between a dot and what is below it; groups further back do not overlap.
            let index = groups.indices.suffix(4).last { candidate in
                let shared = min(groups[candidate].right, piece.right) - max(groups[candidate].left, piece.left)
                return 5 * shared >= 3 * min(groups[candidate].width, piece.width)
            }
            guard let index else {
                groups.append(piece)
                continue
            }
            groups[index].runs += piece.runs
            groups[index].left = min(groups[index].left, piece.left)
            groups[index].right = max(groups[index].right, piece.right)
            groups[index].top = min(groups[index].top, piece.top)
            groups[index].bottom = max(groups[index].bottom, piece.bottom)
        }
        return groups.sorted { ($0.left, $0.right) < ($1.left, $1.right) }
    }
}

/// The typical size of the characters of a text line.
struct InkMeasure {
    /// The height of tall characters.
    let height: Double
    /// The width of a typical character.
    let width: Double

    /// The prior of the width, relative to the height.
    private static let widthPrior = 0.62
    /// The range of character widths, relative to the typical width.
    private static let narrowest = 0.3
    private static let widest = 2.2
    /// The cost of a cut through as much ink as a character is high, and that of a character of twice the typical
    /// width.
    private static let inkCost = 2.5
    private static let widthCost = 1.0

    /// nil without ink.
    init?(_ groups: [InkPiece]) {
        guard !groups.isEmpty else { return nil }
        let heights = groups.map { Double($0.height) }.sorted()
        let height = max(2, heights[min(heights.count - 1, heights.count * 4 / 5)])
        let widths = groups.filter { Double($0.height) > 0.45 * height }.map { Double($0.width) }
            .filter { $0 > 0.3 * height && $0 < 1.1 * height }.sorted()
        self.height = height
        let prior = Self.widthPrior * height
        // With few letters the prior has more weight.
        let own = widths.isEmpty ? prior : widths[widths.count / 2]
        let trust = Double(widths.count) / Double(widths.count + 3)
        width = max(2, prior + (own - prior) * trust)
    }

    /// Returns the columns of each character of a group, from left to right, by the cuts of least total cost.
    func cuts(of group: InkPiece, in strip: TextStrip) -> [Range<Int>] {
        let count = group.width
        guard Double(count) > 1.3 * width, Double(count) > 0.75 * height else { return [group.left..<group.right] }
        var profile = [Double](repeating: 0, count: count)
        for row in group.top..<group.bottom {
            for column in 0..<count { profile[column] += Double(strip.ink[row * strip.width + group.left + column]) }
        }
        let shortest = max(1, Int(Self.narrowest * width))
        let longest = max(shortest + 1, Int(Self.widest * width))
        var costs = [Double](repeating: .infinity, count: count + 1)
        var befores = [Int](repeating: 0, count: count + 1)
        costs[0] = 0
        for end in shortest...count {
            let ink = end == count ? 0 : min(profile[end - 1], profile[end]) / height
            for start in stride(from: end - shortest, through: max(0, end - longest), by: -1)
            where costs[start].isFinite {
                let odd = Double(end - start) / width - 1
                let cost = costs[start] + ink * Self.inkCost + odd * odd * Self.widthCost
                if cost < costs[end] { (costs[end], befores[end]) = (cost, start) }
            }
        }
        guard costs[count].isFinite else { return [group.left..<group.right] }
        var parts: [Range<Int>] = []
        var end = count
        while end > 0 {
            parts.append((group.left + befores[end])..<(group.left + end))
            end = befores[end]
        }
        return parts.reversed()
    }
}
