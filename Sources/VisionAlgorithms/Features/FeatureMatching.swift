/// Where one thing lies in two images.
struct PointPair {
    var from: PlanarPoint
    var to: PlanarPoint
    /// How many features of the one image look alike there, relative to the best: 0 for no rival, 1 for a tie.
    var doubt: Double
    var weight = 1.0
}

/// Pairs the features of two images.
struct FeatureMatching {
    /// The distance of the best match relative to that of the best one elsewhere.
    var ratio = 0.85
    /// Features that are nearer to each other than this lie in one place, in pixels of the image.
    var place = 4.0

    /// The square of a description's length.
    private static let energy = 288.0 * 288.0

    /// Pairs that are each other's best, the least doubtful first; no two of one place.
    ///
    /// - Parameter guess: Where points of the first image lie in the second one, within `reach` pixels.
    func pairs(
        of first: FeatureSet, with second: FeatureSet, packed: PackedFeatures, guess: Homography? = nil,
        reach: Double = 0
    ) -> [PointPair] {
        var gates: [PlanarPoint]?
        if let guess {
            gates = first.features.map { feature in
                let point = guess.apply(feature.point)
                // A match beyond the horizon lies nowhere.
                let isSeen = guess.depth(feature.point.x, feature.point.y) > 0 && point.isFinite
                return isSeen ? point : PlanarPoint(x: -1e6, y: -1e6)
            }
        }
        let found = packed.best(for: first, gates: gates, reach: reach, apart: place)
        var pairs: [PointPair] = []
        for (index, best) in found.queries.enumerated() {
            guard let best else { continue }
            let own = first.features[index].point
            let back = found.packed[best.place]
            guard back == index || back >= 0 && first.features[back].point.distance(to: own) < place else { continue }
            let doubt =
                (max(Self.energy - Double(best.product), 1) / max(Self.energy - Double(best.second), 1)).squareRoot()
            guard doubt < ratio else { continue }
            pairs.append(PointPair(from: own, to: second.features[best.place].point, doubt: doubt))
        }
        let order = pairs.indices.sorted { (pairs[$0].doubt, $0) < (pairs[$1].doubt, $1) }
        var taken = Set<SIMD4<Int32>>()
        return order.compactMap { index in
            let pair = pairs[index]
            let cell = SIMD4<Double>(pair.from.x, pair.from.y, pair.to.x, pair.to.y) / (0.75 * place)
            return taken.insert(SIMD4<Int32>(cell, rounding: .down)).inserted ? pair : nil
        }
    }
}

extension SIMD4<Int32> {
    /// Of values that pixels have.
    fileprivate init(_ values: SIMD4<Double>, rounding rule: FloatingPointRoundingRule) {
        self.init()
        for i in 0..<4 { self[i] = Int32(Swift.min(Swift.max(values[i].rounded(rule), -1e9), 1e9)) }
    }
}
