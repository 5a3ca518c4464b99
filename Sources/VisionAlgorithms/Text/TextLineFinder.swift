/// A line of text that a map shows.
package struct FoundTextLine: Hashable, Sendable {
    /// Around the ink, in pixels of the map, corners at the edges of pixels.
    package var box: TurnedBox
    /// The mean of the map in the line, 0…1.
    package var score: Double

    package init(box: TurnedBox, score: Double) {
        self.box = box
        self.score = score
    }
}

/// Makes lines of text of a network's map.
package struct TextLineFinder: Hashable, Sendable {
    /// Pixels below are no text.
    package var threshold: Float = 0.2
    /// The least mean of a line.
    package var leastScore = 0.6
    /// By how much the text reaches beyond what the network marks, for the width of that: area / half the circumference.
    package var growth = 0.25
    /// The least width of a marked region, in pixels: narrower ones are noise.
    package var narrowest = 2.0
    /// The most pixels from top to bottom of a marked region. Larger ones are no text: the network fills pictures with them
    /// where it finds nothing.
    package var tallest = 100.0

    /// More regions than this are a texture.
    static let regionLimit = 2_000
    private static let smallestRegion = 6

    package init() {}

    /// The lines of a map, largest first; and what would be lines if they were not so large.
    package func lines(in map: TextMap) -> (lines: [FoundTextLine], tooTall: [FoundTextLine]) {
        var (lines, tooTall): ([FoundTextLine], [FoundTextLine]) = ([], [])
        let regions = map.regions(above: threshold, smallest: Self.smallestRegion, limit: Self.regionLimit)
        for region in regions where region.mean >= leastScore {
            guard let inner = ConvexHull.smallestBox(around: ConvexHull.corners(of: region.outline)),
                min(inner.length, inner.height) >= narrowest
            else { continue }
            let more = growth * inner.area / (inner.length + inner.height)
            let box = inner.grown(length: more, height: more).inReadingDirection(squareUpTo: 1.5)
            let line = FoundTextLine(box: box, score: min(region.mean, 1))
            if min(inner.length, inner.height) <= tallest { lines.append(line) } else { tooTall.append(line) }
        }
        return (lines, tooTall)
    }
}
