/// A point in one image and its match in another.
struct PointPair {
    var from: PlanarPoint
    var to: PlanarPoint
    /// The ratio of the second best match to the best: 0 without a rival, 1 for a tie.
    var ratio: Double
    var weight = 1.0
}

/// Matches the features of two images.
struct FeatureMatching {
    /// The largest distance of a match, relative to that of the best one elsewhere.
    var ratio = 0.85
    /// The distance below which features count as the same point, in pixels of the image.
    var separation = 4.0

    /// The squared norm of a descriptor.
    private static let energy = 288.0 * 288.0

    /// Returns the mutual best matches by ascending ratio, without duplicates of a point pair.
    ///
    /// - Parameter prediction: A map that predicts matches in the second image to within `reach` pixels.
    func pairs(
        of first: FeatureSet, with second: FeatureSet, packed: PackedFeatures, prediction: Homography? = nil,
        reach: Double = 0
    ) -> [PointPair] {
        var gates: [PlanarPoint]?
        if let prediction {
            gates = first.features.map { feature in
                let point = prediction.apply(feature.point)
                // A point beyond the horizon has no match.
                let isSeen = prediction.depth(feature.point.x, feature.point.y) > 0 && point.isFinite
                return isSeen ? point : PlanarPoint(x: -1e6, y: -1e6)
            }
        }
        let found = packed.best(for: first, gates: gates, reach: reach, apart: separation)
        var pairs: [PointPair] = []
        for (index, best) in found.queries.enumerated() {
            guard let best else { continue }
            let own = first.features[index].point
            let back = found.packed[best.index]
            guard back == index || back >= 0 && first.features[back].point.distance(to: own) < separation else {
                continue
            }
            let distanceRatio =
                (max(Self.energy - Double(best.product), 1) / max(Self.energy - Double(best.second), 1)).squareRoot()
            guard distanceRatio < ratio else { continue }
            pairs.append(PointPair(from: own, to: second.features[best.index].point, ratio: distanceRatio))
        }
        let order = pairs.indices.sorted { (pairs[$0].ratio, $0) < (pairs[$1].ratio, $1) }
        var taken = Set<SIMD4<Int32>>()
        return order.compactMap { index in
            let pair = pairs[index]
            let cell = SIMD4<Double>(pair.from.x, pair.from.y, pair.to.x, pair.to.y) / (0.75 * separation)
            return taken.insert(SIMD4<Int32>(cell, rounding: .down)).inserted ? pair : nil
        }
    }
}

extension SIMD4<Int32> {
    /// Rounds values in the range of pixel coordinates.
    fileprivate init(_ values: SIMD4<Double>, rounding rule: FloatingPointRoundingRule) {
        self.init()
        for i in 0..<4 { self[i] = Int32(Swift.min(Swift.max(values[i].rounded(rule), -1e9), 1e9)) }
    }
}
