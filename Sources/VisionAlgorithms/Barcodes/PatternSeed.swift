/// A place where rows of an image cross runs like those of a finder pattern or a bull's-eye.
struct PatternSeed {
    /// The middle of the central run in the first row that crosses it, and in the column there.
    var centre: SIMD2<Double>
    /// The length of the runs of that row.
    var length: Double
    /// Whether the central run is light.
    var isLight: Bool
    /// The number of rows that cross it.
    var rows = 1
}

extension ContrastField {
    /// The lowest difference between the central run and its neighbours: noise alternates about its mean as well.
    private static let leastContrast = 10
    private static let stripWidth = 32

    /// Returns the seeds of a pattern, in the order of their first rows.
    ///
    /// - Parameters:
    ///   - pattern: An odd number of runs.
    ///   - reach: How far along a row and across rows a row belongs to a seed before it, in lengths of the pattern.
    ///   - limit: The search ends with the row in which there are so many.
    ///   - isLikely: Whether the runs of a row, from an index of its edges on, can be the pattern.
    ///   - middle: The middle of the central run along its column, for the seed of a row; nil where it is none.
    func seeds(
        like pattern: RunPattern, within reach: SIMD2<Double>, limit: Int,
        where isLikely: (_ edges: UnsafeBufferPointer<Int32>, _ first: Int) -> Bool = { _, _ in true },
        middle: (PatternSeed) -> Double?
    ) -> [PatternSeed] {
        var seeds: [PatternSeed] = []
        // The seeds are indexed by strips of columns, since noise has thousands.
        var strips = [[Int]](repeating: [], count: width / Self.stripWidth + 3)
        let central = pattern.count / 2
        forEachRow(like: pattern) { y, edges, matches in
            for first in matches.lazy.map(Int.init) {
                guard isLikely(edges, first),
                    contrast(row: y, ofRunsAt: edges, from: first + central - 1) >= Self.leastContrast
                else { continue }
                let (start, end) = (edges[first + central], edges[first + central + 1])
                var seed = PatternSeed(
                    centre: SIMD2(Double(start + end - 1) / 2, Double(y)),
                    length: Double(edges[first + pattern.count] - edges[first]), isLight: isLight(Int(start), y))
                let strip = Int(seed.centre.x) / Self.stripWidth + 1
                let known = strips[(strip - 1)...(strip + 1)].joined().first {
                    seeds[$0].isLight == seed.isLight
                        && abs(seeds[$0].centre.x - seed.centre.x) < reach.x * seed.length
                        && abs(seeds[$0].centre.y - seed.centre.y) < reach.y * seed.length
                }
                if let known {
                    seeds[known].rows += 1
                    continue
                }
                guard let middle = middle(seed) else { continue }
                seed.centre.y = middle
                strips[strip].append(seeds.count)
                seeds.append(seed)
            }
            return seeds.count < limit
        }
        return seeds
    }
}
