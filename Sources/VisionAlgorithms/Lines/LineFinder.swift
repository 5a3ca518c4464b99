/// Finds the straight lines of an image: traces pieces of edges, joins those that lie on one line, whatever is between them,
/// and notes where along each line there are edges.
package struct LineFinder {
    /// The least gradient of an edge: about three grey levels, sharp.
    package var leastGradient = 140
    /// The shortest piece of an edge that starts a line, in pixels.
    package var leastLength = 12
    /// The most lines, those with the longest and clearest pieces.
    package var mostLines = 120
    /// The most pieces that are looked at in an image that is full of them.
    private static let mostSegments = 6000
    /// Lines whose distance is less are one, in pixels.
    fileprivate static let apart = 1.6
    /// How many of nine places have an edge where a line is taken for seen, and where it is fitted.
    private static let (dense, denseForFit) = (5, 7)

    package init() {}

    /// The lines by falling length and clearness of the piece that each was found by.
    ///
    /// - Parameter edges: Those of an image with `leastGradient`.
    func lines(of edges: LineEdges) -> [ImageLine] {
        let maps = [edges.level, edges.upright]
        var pieces: [(segment: EdgePiece, map: Int)] = []
        for index in maps.indices {
            pieces += maps[index].segments(least: leastLength, most: Self.mostSegments).map { ($0, index) }
        }
        let order = pieces.indices.sorted {
            let (a, b) = (pieces[$0].segment.weight, pieces[$1].segment.weight)
            return a != b ? a > b : $0 < $1
        }
        var lines: [ImageLine] = []
        var places: [(start: Double, slope: Double, map: Int)] = []
        for index in order where lines.count < mostLines {
            let (segment, map) = pieces[index]
            let (a, b) = (Double(segment.first), Double(segment.last))
            let (p, q) = (segment.start + segment.slope * a, segment.start + segment.slope * b)
            let isKnown = places.indices.contains { index in
                let (start, slope, other) = places[index]
                guard other == map, abs(p - start - slope * a) < Self.apart, abs(q - start - slope * b) < Self.apart
                else { return false }
                return lines[index].coverage(from: a, to: b) > 0.5
            }
            guard !isKnown, let line = grown(segment, in: maps[map], isUpright: map == 1) else { continue }
            // A diagonal may have been found in the other map.
            if abs(line.slope) > 0.7, lines.contains(where: { $0.isUpright != line.isUpright && $0.includes(line) }) {
                continue
            }
            lines.append(line)
            places.append((line.start, line.slope, map))
        }
        return lines
    }

    /// A line through the segment and all that continues it, in rounds of growing and fitting.
    private func grown(_ segment: EdgePiece, in map: EdgeMap, isUpright: Bool) -> ImageLine? {
        var (start, slope) = (segment.start, segment.slope)
        var (low, high) = (segment.first, segment.last)
        var hits = [Int32](repeating: 0, count: map.width)
        while low > 0 || high < map.width - 1 {
            let more = max(16, high - low + 1)
            (low, high) = (max(low - more, 0), min(high + more, map.width - 1))
            (start, slope) = map.support(
                start: start, slope: slope, from: low, to: high + 1, dense: Self.denseForFit, hits: &hits)
        }
        _ = map.support(start: start, slope: slope, from: 0, to: map.width, dense: Self.dense, hits: &hits)
        let kept = (segment.first...segment.last).count { hits[$0] != 0 }
        if 10 * kept < 8 * segment.count {
            // Something beside it has drawn it away: then it stays as it was found.
            (start, slope) = (segment.start, segment.slope)
            _ = map.support(start: start, slope: slope, from: 0, to: map.width, dense: Self.dense, hits: &hits)
        }
        return ImageLine(isUpright: isUpright, start: start, slope: slope, hits: hits, least: leastLength * 2 / 3)
    }
}

extension ImageLine {
    /// Whether a line of the other map is the same.
    fileprivate func includes(_ other: ImageLine) -> Bool {
        let (a, b) = other.ends
        return distance(to: a) < LineFinder.apart && distance(to: b) < LineFinder.apart
    }

    /// Distance of a point from the line, in pixels.
    func distance(to other: PlanarPoint) -> Double { abs((other - point(0)).cross(direction)) }
}
