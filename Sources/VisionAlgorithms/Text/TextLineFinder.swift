/// A text line found in a map.
package struct FoundTextLine: Hashable, Sendable {
    /// A box around the ink, in pixels of the map, with corners at the edges of pixels.
    package var box: RotatedBox
    /// The mean of the map in the text line, 0…1.
    package var score: Double

    package init(box: RotatedBox, score: Double) {
        self.box = box
        self.score = score
    }
}

/// Finds text lines in the map of a network.
package struct TextLineFinder: Hashable, Sendable {
    /// The value below which pixels are not text.
    package var threshold: Float = 0.2
    /// The least mean of a text line.
    package var minimumScore = 0.6
    /// The growth of the marked regions to the size of the text, relative to area / half the circumference of the
    /// region.
    package var growth = 0.25
    /// The least width of a marked region, in pixels: narrower ones are noise.
    package var narrowest = 2.0
    /// The largest height of a marked region, in pixels. Larger ones are not text: the network fills images without
    /// text with them.
    package var tallest = 100.0

    /// An image with more regions is a texture.
    static let regionLimit = 2_000
    private static let smallestRegion = 6

    package init() {}

    /// Returns the text lines of a map, largest first, and separately those that are too tall.
    package func lines(in map: TextMap) -> (lines: [FoundTextLine], tooTall: [FoundTextLine]) {
        var scan = TextRegionScan(threshold: threshold)
        scan.append(map)
        return lines(in: &scan)
    }

    /// Returns the text lines of a map that has been scanned above the threshold, as `lines(in:)` of the whole map.
    ///
    /// - Parameter share: The size of the map in those for which the limit of regions is meant.
    package func lines(
        in scan: inout TextRegionScan, share: Int = 1
    ) -> (lines: [FoundTextLine], tooTall: [FoundTextLine]) {
        var (lines, tooTall): ([FoundTextLine], [FoundTextLine]) = ([], [])
        let regions = scan.regions(smallest: Self.smallestRegion, limit: Self.regionLimit * share)
        for region in regions where region.mean >= minimumScore {
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
