import Foundation
import VisionImage

/// Registration of images from different places, by what looks alike in them.
enum FeatureRegistration {
    /// The longer side at which features are looked for, at most.
    private static let longest = 1200
    /// The same for views from the side, of which there are many.
    private static let tiltedLongest = 600

    static func register(
        reference: Raster, floating: Raster, check: () throws -> Void
    ) throws -> PlanarRegistration {
        let first = try FeatureViews(floating, longest: longest, limit: 2000)
        let second = try FeatureViews(reference, longest: longest, limit: 2000)
        var images = (floating: try first.plain(), reference: try second.plain())
        try check()
        var best = estimate(images.floating, images.reference, pixel: second.pixel)
        if best.evidence >= sure { return best.registration }
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
            if best.evidence >= sure { break }
        }
        return best.registration
    }

    /// Further views are not looked at from here on.
    private static let sure = 0.8

    /// A map and what speaks for it.
    private struct Estimate {
        var map = Homography.identity
        /// From 0 to 1: how surely the map is not one of chance.
        var evidence = 0.0
        /// The share of the features that follow the map among those that the scene moves.
        var flatness = 0.0

        /// What is mostly flat has one map; beyond that, each plane that moves otherwise makes it less clear which one is meant.
        var registration: PlanarRegistration {
            evidence > 0 ? PlanarRegistration(map: map, confidence: evidence * min(1, flatness / 0.8)) : .none
        }
    }

    /// - Parameter pixel: The size of a pixel in which features of the reference were looked for, in its own pixels.
    private static func estimate(_ floating: FeatureSet, _ reference: FeatureSet, pixel: Double) -> Estimate {
        let packed = PackedFeatures(reference)
        let matching = FeatureMatching(place: 4 * pixel)
        let pairs = matching.pairs(of: floating, with: reference, packed: packed)
        let limit = 3 * pixel
        let estimator = HomographyEstimator(limit: limit)
        guard let found = estimator.estimate(pairs) else { return Estimate() }
        // Once it is known where to look, less alone tells what belongs together.
        var guided = matching
        guided.ratio = 0.95
        let more = guided.pairs(of: floating, with: reference, packed: packed, guess: found.map, reach: 3 * limit)
        let near = balanced(estimator.fitting(found.map, more, within: 10 * pixel), cell: 40 * pixel)
        let map = HomographyFit.refined(found.map, near, limit: 5 * pixel) ?? found.map
        let fitting = estimator.fitting(map, pairs, within: limit).count
        return Estimate(
            map: map, evidence: evidence(fitting: fitting, of: pairs.count),
            flatness: flatness(pairs, map, estimator, limit: limit))
    }

    /// Gives pairs less weight where there are many: what is far from being flat shall fit best in the mean of its parts, not
    /// where most texture is.
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

    /// Seven pairs of a hundred that match by chance may fit some map; each of those beyond makes it surer.
    private static func evidence(fitting: Int, of count: Int) -> Double {
        let chance = 6 + 0.01 * Double(count)
        return 1 - exp(-max(0, Double(fitting) - chance) / 10)
    }

    /// What lies on other planes, nearer or farther, matches near the place where the map takes it, but not there. Matches of
    /// chance lie anywhere, so that hardly any are near.
    private static func flatness(
        _ pairs: [PointPair], _ map: Homography, _ estimator: HomographyEstimator, limit: Double
    ) -> Double {
        let near = estimator.fitting(map, pairs, within: 16 * limit).count
        return near > 0 ? Double(estimator.fitting(map, pairs, within: 2 * limit).count) / Double(near) : 0
    }
}
