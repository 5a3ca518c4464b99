/// Least-squares fits of homographies.
enum HomographyFit {
    /// Returns the map with the least algebraic error after normalisation of both sides (Hartley, "In defense of the
    /// eight-point algorithm", 1997). Nil if the pairs do not determine one.
    static func direct(_ pairs: [PointPair]) -> Homography? {
        guard pairs.count >= 4, let from = normalisation(pairs.map(\.from)), let to = normalisation(pairs.map(\.to)),
            let back = to.inverse
        else { return nil }
        var matrix = [Double](repeating: 0, count: 81)
        for pair in pairs {
            let (p, q) = (from.apply(pair.from), to.apply(pair.to))
            for row in [
                [p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y, -q.x],
                [0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y, -q.y],
            ] {
                for i in 0..<9 where row[i] != 0 {
                    let scaled = row[i] * pair.weight
                    for j in i..<9 { matrix[i * 9 + j] += scaled * row[j] }
                }
            }
        }
        guard let h = LinearAlgebra.smallestEigenvector(of: matrix, size: 9) else { return nil }
        let map = back * Homography([h[0], h[1], h[2]], [h[3], h[4], h[5]], [h[6], h[7], h[8]]) * from
        return map.isFinite ? map : nil
    }

    /// Returns the map that moves points to the origin and scales their mean distance to 1.
    private static func normalisation(_ points: [PlanarPoint]) -> Homography? {
        let n = Double(points.count)
        let (x, y) = (points.reduce(0) { $0 + $1.x } / n, points.reduce(0) { $0 + $1.y } / n)
        let spread = points.reduce(0) { $0 + $1.distance(to: PlanarPoint(x: x, y: y)) } / n
        guard spread > 1e-6, spread.isFinite else { return nil }
        return Homography([1 / spread, 0, -x / spread], [0, 1 / spread, -y / spread], [0, 0, 1])
    }

    /// Returns the map near `start` with the least distances of the pairs in the second image, by Gauss-Newton steps
    /// with Tukey's weights; distances from `limit` on have no weight.
    static func refined(_ start: Homography, _ pairs: [PointPair], limit: Double) -> Homography? {
        guard pairs.count >= 5, let from = normalisation(pairs.map(\.from)), let to = normalisation(pairs.map(\.to)),
            let back = from.inverse, let out = to.inverse
        else { return nil }
        let size = to.row0.x
        var map = to * start * back
        guard map.isFinite else { return nil }
        for _ in 0..<12 {
            var matrix = [Double](repeating: 0, count: 64)
            var right = [Double](repeating: 0, count: 8)
            var used = 0.0
            for pair in pairs {
                let p = from.apply(pair.from)
                let depth = map.depth(p.x, p.y)
                guard depth > 1e-6 else { continue }
                let (here, there) = (map.apply(p), to.apply(pair.to))
                let (dx, dy) = (there.x - here.x, there.y - here.y)
                let part = 1 - (dx * dx + dy * dy) / (size * limit * size * limit)
                guard part > 0 else { continue }
                let weight = part * part * pair.weight
                used += weight
                let rows: [(SIMD8<Double>, Double)] = [
                    ([p.x, p.y, 1, 0, 0, 0, -here.x * p.x, -here.x * p.y] / depth, dx),
                    ([0, 0, 0, p.x, p.y, 1, -here.y * p.x, -here.y * p.y] / depth, dy),
                ]
                for (row, distance) in rows {
                    for i in 0..<8 {
                        let scaled = row[i] * weight
                        for j in i..<8 { matrix[i * 8 + j] += scaled * row[j] }
                        right[i] += scaled * distance
                    }
                }
            }
            guard used >= 4 else { return nil }
            for i in 0..<8 { matrix[i * 8 + i] += 1e-9 * used }
            guard let step = LinearAlgebra.solution(of: matrix, right) else { return nil }
            map = Homography(
                map.row0 + [step[0], step[1], step[2]], map.row1 + [step[3], step[4], step[5]],
                map.row2 + [step[6], step[7], 0])
            guard map.isFinite else { return nil }
            if step.allSatisfy({ abs($0) < 1e-8 }) { break }
        }
        let result = out * map * from
        return result.isFinite ? result : nil
    }
}
