import Foundation
import VisionImage

/// Registers images from different viewpoints by matching features.
enum FeatureRegistration {
    /// The largest longer side of the images in which features are found.
    private static let longest = 1200
    /// The same for simulated tilted views, of which there are many.
    private static let tiltedLongest = 600

    static func register(
        reference: Raster, floating: Raster, check: () throws -> Void
    ) throws -> PlanarRegistration {
        let first = try FeatureViews(floating, longest: longest, limit: 2000)
        let second = try FeatureViews(reference, longest: longest, limit: 2000)
        var images = (floating: try first.plain(), reference: try second.plain())
        try check()
        var best = estimate(images.floating, images.reference, pixel: second.pixel)
        if best.evidence >= sufficientEvidence { return best.registration }
        let side = try FeatureViews(floating, longest: tiltedLongest, limit: 700)
        let other = try FeatureViews(reference, longest: tiltedLongest, limit: 700)
        for tilts in [FeatureViews.sides, FeatureViews.steepSides] {
            for tilt in tilts {
                images.floating.append(try side.tilted(tilt))
                images.reference.append(try other.tilted(tilt))
                try check()
            }
            let found = estimate(images.floating, images.reference, pixel: other.pixel)
            if found.evidence > best.evidence { best = found }
            if best.evidence >= sufficientEvidence { break }
        }
        return best.registration
    }

    /// The evidence from which no further views are tried.
    private static let sufficientEvidence = 0.8

    /// A map and its evidence.
    private struct Estimate {
        var map = Homography.identity
        /// How certain it is that the map is not one of random matches: 0 to 1.
        var evidence = 0.0
        /// The share of the matches near the map that follow it exactly.
        var flatness = 0.0

        /// A mostly flat scene has one map; each further plane that moves differently makes it less clear which one is
        /// meant.
        var registration: PlanarRegistration {
            evidence > 0 ? PlanarRegistration(map: map, confidence: evidence * min(1, flatness / 0.8)) : .none
        }
    }

    /// - Parameter pixel: The size of a pixel of the image in which the reference's features were found, in the
    ///   reference's pixels.
    private static func estimate(_ floating: FeatureSet, _ reference: FeatureSet, pixel: Double) -> Estimate {
        let packed = PackedFeatures(reference)
        let matching = FeatureMatching(separation: 4 * pixel)
        let pairs = matching.pairs(of: floating, with: reference, packed: packed)
        let limit = 3 * pixel
        let estimator = HomographyEstimator(limit: limit)
        guard let found = estimator.estimate(pairs) else { return Estimate() }
        // With a known map, weaker matches are accepted near their predicted position.
        var guided = matching
        guided.ratio = 0.95
        let more = guided.pairs(of: floating, with: reference, packed: packed, prediction: found.map, reach: 3 * limit)
        let near = balanced(estimator.fitting(found.map, more, within: 10 * pixel), cell: 40 * pixel)
        let map = HomographyFit.refined(found.map, near, limit: 5 * pixel) ?? found.map
        let fitting = estimator.fitting(map, pairs, within: limit).count
        return Estimate(
            map: map, evidence: evidence(fitting: fitting, of: pairs.count),
            flatness: flatness(pairs, map, estimator, limit: limit))
    }

    /// Reduces the weight of pairs in dense regions: the map of a scene that is not flat shall fit best on average over
    /// its regions, not where most texture is.
    private static func balanced(_ pairs: [PointPair], cell size: Double) -> [PointPair] {
        func cell(_ pair: PointPair) -> SIMD2<Int> {
            SIMD2(Int((pair.to.x / size).rounded(.down)), Int((pair.to.y / size).rounded(.down)))
        }
        var counts: [SIMD2<Int>: Double] = [:]
        for pair in pairs { counts[cell(pair), default: 0] += 1 }
        return pairs.map { pair in
            var pair = pair
            pair.weight = 1 / (counts[cell(pair)] ?? 1).squareRoot()
            return pair
        }
    }

    /// Of a hundred random pairs, seven may fit some map; the evidence grows with each one beyond that.
    private static func evidence(fitting: Int, of count: Int) -> Double {
        let random = 6 + 0.01 * Double(count)
        return 1 - exp(-max(0, Double(fitting) - random) / 10)
    }

    /// Content on other planes, nearer or farther, matches near the mapped position but not at it. Random matches lie
    /// anywhere, so that hardly any are near.
    private static func flatness(
        _ pairs: [PointPair], _ map: Homography, _ estimator: HomographyEstimator, limit: Double
    ) -> Double {
        let near = estimator.fitting(map, pairs, within: 16 * limit).count
        return near > 0 ? Double(estimator.fitting(map, pairs, within: 2 * limit).count) / Double(near) : 0
    }
}
