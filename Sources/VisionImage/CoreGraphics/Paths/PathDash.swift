package import Foundation

/// A pattern of dashes and gaps.
package struct PathDash: Sendable {
    /// Where in the pattern a line begins.
    package private(set) var phase: CGFloat = 0
    /// The lengths of dash, gap, dash, gap …; none for solid lines.
    package private(set) var lengths: [CGFloat] = []
    /// The length after which the pattern repeats. An odd pattern repeats with dashes and gaps exchanged.
    package private(set) var period: CGFloat = 0
    /// Where the dashes and gaps of a period end.
    private var ends: [CGFloat] = []

    package init() {}

    /// Creates a pattern; one that cannot be drawn is solid.
    package init(phase: CGFloat, lengths: [CGFloat]) {
        guard phase.isFinite, lengths.allSatisfy({ $0 >= 0 && $0.isFinite }), lengths.contains(where: { $0 > 0 }) else {
            return
        }
        self.phase = phase
        self.lengths = lengths
        for length in lengths.count % 2 == 0 ? lengths : lengths + lengths {
            period += length
            ends.append(period)
        }
    }

    package var isSolid: Bool { lengths.isEmpty }

    /// The most dashes that are made.
    static let limit: CGFloat = 100_000

    /// Returns about how many dashes and gaps polylines have.
    ///
    /// - Parameter visible: A circle beyond which nothing is needed.
    func count(on lines: [[CGPoint]], within visible: PathStroke.Circle?) -> CGFloat {
        let most = visible.map { 2 * $0.radius } ?? .infinity
        let length = lines.reduce(CGFloat(0)) { sum, line in
            zip(line, line.dropFirst()).reduce(sum) { $0 + min(most, hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y)) }
        }
        return length / period * CGFloat(ends.count)
    }

    /// Returns the index of the first dash or gap of a period that ends at a length or behind it.
    private func firstIndex(endingAtOrBehind length: CGFloat) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < length { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the dashes of a polyline; those of neighbouring segments that meet at a corner are one. A line with more
    /// than `limit` of them is solid.
    ///
    /// - Parameter visible: A circle beyond which nothing is needed.
    func pieces(of points: [CGPoint], visible: PathStroke.Circle?) -> [[CGPoint]] {
        guard period > 0, period.isFinite else { return [points] }
        var pieces: [[CGPoint]] = []
        var travelled = phase
        var isOpen = false
        for (start, end) in zip(points, points.dropFirst()) {
            let segment = PathSegment(from: start, to: end)
            let length = segment.length
            guard length.isFinite else { continue }
            defer { travelled += length }
            guard let part = visible.map({ $0.part(of: segment) }) ?? (from: 0, to: length) else {
                isOpen = false
                continue
            }
            // Exact for any phase, and always less than a period: from here every iteration advances.
            let ahead = (part.from + travelled.truncatingRemainder(dividingBy: period))
                .truncatingRemainder(dividingBy: period)
            var wasDrawnToTheEnd = false
            for turn in stride(from: part.from - (ahead < 0 ? ahead + period : ahead), to: part.to, by: period) {
                // A pattern may have a million entries, of which a short line needs a few.
                for index in firstIndex(endingAtOrBehind: part.from - turn)..<ends.count {
                    let start = turn + (index == 0 ? 0 : ends[index - 1])
                    guard start <= part.to else { break }
                    let position = turn + ends[index]
                    let (from, to) = (max(part.from, start), min(part.to, position))
                    guard index % 2 == 0 else { continue }
                    guard CGFloat(pieces.count) < Self.limit else { return [points] }
                    // A dash without a length is a point, which has round or square ends.
                    if lengths[index % lengths.count] == 0, position >= part.from, position < part.to {
                        pieces.append([segment.point(position)])
                        (isOpen, wasDrawnToTheEnd) = (false, false)
                    }
                    guard from < to else { continue }
                    if !(isOpen && from == 0) { pieces.append([segment.point(from)]) }
                    pieces[pieces.count - 1].append(segment.point(to))
                    isOpen = false
                    wasDrawnToTheEnd = to == length
                }
            }
            isOpen = wasDrawnToTheEnd
        }
        return pieces
    }
}
