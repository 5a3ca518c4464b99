import Foundation

/// The bull's-eye of a MaxiCode in an image: three rings around a middle of the other colour, in any perspective.
///
/// A row through the middle crosses three runs of about the same length on either side of it. From the middle the
/// outlines of the rings are measured along rays; the second moments of the area within the outermost give the affine
/// map of the code up to a rotation.
struct RingTarget {
    var centre: SIMD2<Double>
    /// The symmetric map from modules to pixels about the centre.
    var map: (xx: Double, xy: Double, yy: Double)
    var hasDarkMiddle: Bool

    /// The radius of the outermost ring, in widths of modules.
    static let radius = 4.37

    private static let most = 4
    private static let mostSeeds = 32
    private static let seedLimit = 2000
    /// The lowest number of rows through the middle.
    private static let leastRows = 2
    /// The seven runs in the middle of a row, off by .45 of their mean and .8 pixels. Printers make the middle one
    /// from .8 to 4 times as wide as the rings.
    private static let runs: RunPattern = {
        let (ring, middle) = ((Int32(10), Int32(9), Int32(122)), (Int32(16), Int32(30), Int32(122)))
        return RunPattern([ring, ring, ring, middle, ring, ring, ring], unit: 2, least: 11)
    }()
    private static let rayCount = 48
    private static let rays = (0..<rayCount).map { ray in
        let angle = 2 * Double.pi * Double(ray) / Double(rayCount)
        return SIMD2(cos(angle), sin(angle))
    }
    /// The largest radius along a ray, in lengths of the seven runs of the row through the middle.
    private static let farthest = 2.0
    /// The largest standard deviation of the innermost ring's radius in radii of the second, and the largest deviation
    /// of the third ring's along a ray.
    private static let (mostDeviation, mostShift) = (0.06, 0.1)

    /// Returns the targets of an image, those that most rows cross first.
    static func find(in field: ContrastField) -> [RingTarget] {
        let seeds = field.seeds(
            like: runs, within: SIMD2(1.0 / 7, 1.0 / 5), limit: seedLimit, where: hasOutermostRing
        ) { seed in
            field.middle(
                column: Int(seed.centre.x), row: Int(seed.centre.y), isLight: seed.isLight, limit: seed.length)
        }
        var found: [RingTarget] = []
        // Gaps between rings are seeds as well: their rays do not agree.
        for seed in seeds.filter({ $0.rows >= leastRows }).sorted(by: { $0.rows > $1.rows }).prefix(mostSeeds) {
            guard found.count < most,
                let target = RingTarget(at: seed.centre, length: seed.length, isLight: seed.isLight, in: field)
            else { continue }
            let isNew = found.allSatisfy {
                let offset = $0.centre - target.centre
                return (offset * offset).sum().squareRoot() > $0.map.xx + $0.map.yy
            }
            if isNew { found.append(target) }
        }
        return found
    }

    /// Whether two runs on either side of seven are as long as those, but the middle one: rows through the middle cross
    /// the outermost ring as well.
    private static func hasOutermostRing(_ edges: UnsafeBufferPointer<Int32>, around first: Int) -> Bool {
        guard first >= 2, first + 9 < edges.count else { return false }
        let sum = edges[first + 7] - edges[first + 4] + edges[first + 3] - edges[first]
        // Off by .7 of their mean and a pixel, both times six.
        func fits(_ run: Int) -> Bool { abs(6 * (edges[run + 1] - edges[run]) - sum) * 10 <= 7 * sum + 60 }
        return fits(first - 1) && fits(first + 7) && fits(first - 2) && fits(first + 8)
    }

    private init?(at centre: SIMD2<Double>, length: Double, isLight: Bool, in field: ContrastField) {
        func radius(of outline: Int, _ ray: Int) -> Double? {
            field.radius(
                of: outline, from: centre, along: Self.rays[ray], isLight: isLight, limit: Self.farthest * length)
        }
        var inner: [(first: Double, second: Double, ray: Int)] = []
        for ray in 0..<Self.rayCount {
            // Most seeds are false: a seed ends when an eighth of the rays miss.
            guard ray - inner.count <= Self.rayCount / 8 else { return nil }
            if let first = radius(of: 1, ray), let second = radius(of: 3, ray) { inner.append((first, second, ray)) }
        }
        guard inner.count >= Self.rayCount * 7 / 8 else { return nil }
        let ratios = inner.map { $0.first / $0.second }
        let mean = ratios.reduce(0, +) / Double(ratios.count)
        let variance = ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(ratios.count)
        guard variance <= Self.mostDeviation * Self.mostDeviation, mean < 0.75 else { return nil }
        // Modules may touch the outermost ring: where its outline is not as far out as along most rays, the second ring
        // says where it should be.
        let outer = inner.map { inner in radius(of: 5, inner.ray).map { $0 / inner.second } }
        let known = outer.compactMap(\.self).sorted()
        guard known.count >= Self.rayCount / 2 else { return nil }
        let median = known[known.count / 2]
        let points = zip(inner, outer).map { inner, ratio in
            let ratio = ratio.map { abs($0 / median - 1) <= Self.mostShift ? $0 : median } ?? median
            return centre + inner.second * ratio * Self.rays[inner.ray]
        }
        guard median < 2.5, let area = PolygonArea(inside: points), area.isRound
        else { return nil }
        self.centre = area.centre
        // The second moment of a disc along any axis.
        let (xx, xy, yy) = area.affineMap(moment: Self.radius * Self.radius / 4)
        map = (xx, xy, yy)
        hasDarkMiddle = !isLight
    }
}
