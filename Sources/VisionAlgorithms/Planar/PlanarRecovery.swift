/// Finds a planar object anywhere in a frame by its features: matches them and finds the map that most matches support.
struct PlanarRecovery {
    private static let own = 200
    /// The number of matches from which pairs are taken, and the least number of matches that must support a proposal.
    private static let tried = 36
    private static let minimumSupport = 6

    private let features: PlanarFeatures
    /// The positions of the features in the square of the object.
    private let positions: [PlanarPoint]
    private let map: Homography

    init(_ pyramid: PlanarPyramid, map: Homography) throws {
        self.map = map
        let back = map.inverse
        features = try PlanarFeatures(pyramid, most: Self.own) { point in
            guard let position = back?.apply(point) else { return false }
            return abs(position.x) < 1 && abs(position.y) < 1
        }
        positions = features.features.map { back?.apply($0.point) ?? PlanarPoint(x: 0, y: 0) }
    }

    /// Returns proposals of the object's map in a frame, those with the most support first.
    func proposals(in frame: some PlanarFrame) throws -> [Homography] {
        guard features.features.count >= Self.minimumSupport else { return [] }
        let found = try frame.features()
        let matches = features.matches(in: found)
        guard matches.count >= Self.minimumSupport else { return [] }
        let size = abs(map.quad.area).squareRoot()
        var best: [(support: Int, similarity: Homography)] = []
        let tried = min(matches.count, Self.tried)
        for first in 0..<tried {
            for second in (first + 1)..<max(tried, first + 1) {
                let (a, b) = (features.features[matches[first].own], features.features[matches[second].own])
                let (p, q) = (found.features[matches[first].other], found.features[matches[second].other])
                guard let similarity = Self.similarity(a.point, b.point, p.point, q.point, least: 0.1 * size) else {
                    continue
                }
                // The rotation must agree with the orientations of the two features as well.
                guard Self.agrees(similarity, a, p), Self.agrees(similarity, b, q) else { continue }
                let tolerance = 0.06 * size * similarity.determinant.squareRoot()
                let support = matches.count { match in
                    let there = similarity.apply(features.features[match.own].point)
                    return there.distance(to: found.features[match.other].point) < tolerance
                }
                guard support >= Self.minimumSupport else { continue }
                best.append((support, similarity))
            }
        }
        best.sort { $0.support > $1.support }
        return best.prefix(2).compactMap { refined($0.similarity, matches, found) }
    }

    /// Returns the similarity that maps two points to two others; nil if they are too close together or the scale
    /// changes by more than a factor of four.
    private static func similarity(
        _ a: PlanarPoint, _ b: PlanarPoint, _ p: PlanarPoint, _ q: PlanarPoint, least: Double
    ) -> Homography? {
        let (from, to) = (b - a, q - p)
        let length = from.x * from.x + from.y * from.y
        guard length > least * least else { return nil }
        let c = (from.x * to.x + from.y * to.y) / length
        let s = (from.x * to.y - from.y * to.x) / length
        let size = c * c + s * s
        guard size > 1.0 / 16, size < 16 else { return nil }
        return Homography([c, -s, p.x - c * a.x + s * a.y], [s, c, p.y - s * a.x - c * a.y], [0, 0, 1])
    }

    private static func agrees(_ map: Homography, _ a: PlanarFeatures.Feature, _ p: PlanarFeatures.Feature) -> Bool {
        let (c, s) = (map.row0.x, map.row1.x)
        let size = (c * c + s * s).squareRoot()
        let rotated = (x: (c * a.cosine - s * a.sine) / size, y: (s * a.cosine + c * a.sine) / size)
        let ratio = p.scale / (a.scale * size)
        return rotated.x * p.cosine + rotated.y * p.sine > 0.75 && ratio > 0.4 && ratio < 2.5
    }

    /// Refines a similarity by all matches near it; the result may be anything from a similarity to a full perspective
    /// map, as far as the matches determine it.
    private func refined(
        _ similarity: Homography, _ matches: [PlanarFeatures.Match], _ found: PlanarFeatures
    ) -> Homography? {
        var current = similarity * map
        guard current.isProper else { return nil }
        for round in 0..<6 {
            let size = abs(current.quad.area).squareRoot()
            let tolerance = (round < 2 ? 0.08 : round < 4 ? 0.05 : 0.03) * size
            guard let back = current.inverse else { return nil }
            var system = PlanarSystem()
            for match in matches {
                let position = positions[match.own], point = found.features[match.other].point
                let distance = current.apply(position).distance(to: point)
                guard distance < tolerance else { continue }
                let there = back.apply(point)
                let ratio = distance / tolerance
                let weight = (1 - ratio * ratio) * (1 - ratio * ratio) * 1000
                system.add(
                    x: position.x, y: position.y, normalX: 1, normalY: 0, distance: there.x - position.x, weight: weight
                )
                system.add(
                    x: position.x, y: position.y, normalX: 0, normalY: 1, distance: there.y - position.y, weight: weight
                )
            }
            for (x, y) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
                system.add(x: x, y: y, normalX: 1, normalY: 0, distance: 0, weight: 100)
                system.add(x: x, y: y, normalX: 0, normalY: 1, distance: 0, weight: 100)
            }
            guard let step = system.solution(), (step.map(abs).max() ?? 1) < 0.5 else { return current }
            let next = current.moved(by: step)
            guard next.isProper else { return current }
            current = next
        }
        return current
    }
}
