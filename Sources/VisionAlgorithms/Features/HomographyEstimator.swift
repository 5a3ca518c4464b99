import VisionImage

/// Finds the homography that most of the pairs follow, by RANSAC.
///
/// Samples of four pairs are drawn from the best matches first and finally from all (Chum and Matas, "Matching with
/// PROSAC", 2005), each scored by the errors of all pairs; the best ones are improved by least squares over their
/// inliers (Chum, Matas and Kittler, "Locally optimized RANSAC", 2003).
struct HomographyEstimator {
    /// The largest error of an inlier, in pixels.
    var limit: Double
    /// The largest number of samples.
    var most = 12_000

    struct Result {
        var map: Homography
        var score: Double
        /// The number of inliers.
        var fitting: Int
    }

    private static let batch = 64

    /// - Parameter pairs: By ascending ratio.
    func estimate(_ pairs: [PointPair]) -> Result? {
        guard pairs.count >= 4 else { return nil }
        let points = PointPairs(pairs)
        var random = SplitMix64(seed: UInt64(pairs.count))
        var best: Result?
        var samples = 0
        var wanted = most
        var maps: [Homography] = []
        maps.reserveCapacity(Self.batch)
        while samples < wanted {
            maps.removeAll(keepingCapacity: true)
            var tries = 0
            while maps.count < Self.batch, tries < 40 * Self.batch, samples < wanted {
                tries += 1
                // From the best dozen to all of them within the first few thousand.
                let pool = min(pairs.count, max(12, pairs.count * (samples + 200) / 3000))
                if let map = sample(pairs, pool: pool, &random) { maps.append(map) }
                samples += maps.isEmpty || tries % 4 == 0 ? 1 : 0
            }
            samples += maps.count
            guard !maps.isEmpty else { continue }
            let scores = points.scores(of: maps, limit: limit)
            var top = 0
            for index in scores.indices where scores[index] > scores[top] { top = index }
            guard Double(scores[top]) > best?.score ?? 0 else { continue }
            let improved =
                improve(maps[top], pairs, points) ?? Result(map: maps[top], score: Double(scores[top]), fitting: 0)
            guard improved.score > best?.score ?? 0 else { continue }
            best = improved
            // After so many samples, one of inliers alone has been drawn with near certainty.
            let share = Double(improved.fitting) / Double(pairs.count)
            let probability = share * share * share * share
            if probability > 1e-6 { wanted = min(most, max(400, Int(min(8 / probability, 1e6)))) }
        }
        return best
    }

    /// Refits the map to its inliers, with a falling limit.
    private func improve(_ start: Homography, _ pairs: [PointPair], _ points: PointPairs) -> Result? {
        var best: Result?
        var map = start
        for factor in [2.0, 1.5, 1, 1] {
            let fitting = fitting(map, pairs, within: factor * limit)
            guard fitting.count >= 5, let next = HomographyFit.direct(fitting), next.isFinite else { break }
            map = next
            let score = Double(points.scores(of: [map], limit: limit)[0])
            if score > best?.score ?? 0 { best = Result(map: map, score: score, fitting: 0) }
        }
        guard var best else { return nil }
        best.fitting = fitting(best.map, pairs, within: limit).count
        return best
    }

    /// Returns the inliers of a map.
    func fitting(_ map: Homography, _ pairs: [PointPair], within limit: Double) -> [PointPair] {
        pairs.filter { pair in
            map.depth(pair.from.x, pair.from.y) > 0 && map.apply(pair.from).distance(to: pair.to) < limit
        }
    }

    /// Returns the map of four pairs; nil if no visible plane can have that configuration.
    private func sample(_ pairs: [PointPair], pool: Int, _ random: inout SplitMix64) -> Homography? {
        var chosen = SIMD4<Int>(repeating: -1)
        for i in 0..<4 {
            var index = random.next(below: pool)
            while (0..<i).contains(where: { chosen[$0] == index }) { index = (index + 1) % pool }
            chosen[i] = index
        }
        let (a, b, c, d) = (pairs[chosen[0]], pairs[chosen[1]], pairs[chosen[2]], pairs[chosen[3]])
        guard let from = Self.basis(a.from, b.from, c.from, d.from), let to = Self.basis(a.to, b.to, c.to, d.to)
        else { return nil }
        for i in 0..<4 where (from.signs[i] > 0) != (to.signs[i] > 0) { return nil }
        guard let back = from.map.inverse else { return nil }
        let map = to.map * back
        return map.isFinite && map.depth(a.from.x, a.from.y) > 0 ? map : nil
    }

    /// Returns the map of the unit points and their sum to four points, and the orientations of their triangles. Nil if
    /// three of them are nearly collinear.
    private static func basis(
        _ a: PlanarPoint, _ b: PlanarPoint, _ c: PlanarPoint, _ d: PlanarPoint
    ) -> (map: Homography, signs: SIMD4<Double>)? {
        func area(_ p: PlanarPoint, _ q: PlanarPoint, _ r: PlanarPoint) -> Double { (q - p).cross(r - p) }
        let areas = SIMD4(area(d, b, c), area(a, d, c), area(a, b, d), area(a, b, c))
        for i in 0..<4 where !(abs(areas[i]) > 40) { return nil }
        let (k, l, m) = (areas[0], areas[1], areas[2])
        return (
            Homography([k * a.x, l * b.x, m * c.x], [k * a.y, l * b.y, m * c.y], [k, l, m]), areas
        )
    }
}

extension SplitMix64 {
    fileprivate mutating func next(below limit: Int) -> Int { Int(((next() >> 32) &* UInt64(limit)) >> 32) }
}
