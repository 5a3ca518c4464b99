/// Finds the straight lines of an image: traces edge segments, joins collinear ones whatever the gaps between them, and
/// records the positions along each line that have edges.
package struct LineFinder {
    /// The least gradient of an edge: about three grey levels for a sharp edge.
    package var minimumGradient = 140
    /// The shortest edge segment that starts a line, in pixels.
    package var minimumLength = 12
    /// The largest number of lines; those with the longest and strongest segments are kept.
    package var maximumLines = 120
    /// The largest number of segments processed, for images full of edges.
    private static let maximumSegments = 6000
    /// The distance below which lines are duplicates, in pixels.
    fileprivate static let apart = 1.6
    /// How many of nine positions need an edge for a stretch to count as covered, and to be used in the fit.
    private static let (dense, denseForFit) = (5, 7)

    /// Returns the lines in descending order of the length and strength of the segment that each was found by.
    ///
    /// - Parameter edges: The edges of an image found with `minimumGradient`.
    func lines(of edges: LineEdges) -> [ImageLine] {
        let maps = [edges.level, edges.upright]
        var pieces: [(segment: EdgePiece, map: Int)] = []
        for index in maps.indices {
            pieces += maps[index].segments(least: minimumLength, most: Self.maximumSegments).map { ($0, index) }
        }
        let order = pieces.indices.sorted {
            let (a, b) = (pieces[$0].segment.weight, pieces[$1].segment.weight)
            return a != b ? a > b : $0 < $1
        }
        var lines: [ImageLine] = []
        var parameters: [(start: Double, slope: Double, map: Int)] = []
        for index in order where lines.count < maximumLines {
            let (segment, map) = pieces[index]
            let (a, b) = (Double(segment.first), Double(segment.last))
            let (p, q) = (segment.start + segment.slope * a, segment.start + segment.slope * b)
            let isKnown = parameters.indices.contains { index in
                let (start, slope, other) = parameters[index]
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
            parameters.append((line.start, line.slope, map))
        }
        return lines
    }

    /// Extends a segment to a line by rounds of growing and fitting.
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
            // The fit was drawn away by a neighbouring edge: keep the segment's own line.
            (start, slope) = (segment.start, segment.slope)
            _ = map.support(start: start, slope: slope, from: 0, to: map.width, dense: Self.dense, hits: &hits)
        }
        return ImageLine(isUpright: isUpright, start: start, slope: slope, hits: hits, least: minimumLength * 2 / 3)
    }
}

extension ImageLine {
    /// Returns whether a line of the other map is the same.
    fileprivate func includes(_ other: ImageLine) -> Bool {
        let (a, b) = other.ends
        return distance(to: a) < LineFinder.apart && distance(to: b) < LineFinder.apart
    }

    /// Returns the distance of a point from the line, in pixels.
    func distance(to other: PlanarPoint) -> Double { abs((other - point(0)).cross(direction)) }
}
