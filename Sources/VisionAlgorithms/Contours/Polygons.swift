/// Operations on closed polygons of single-precision points.
package enum Polygons {
    /// Returns the indices of the points of a closed polygon that remain when those that are nearer than `epsilon` to
    /// the simplified outline are left out (Ramer, 1972; Douglas and Peucker, 1973), ascending.
    ///
    /// The ends are the first point and the one farthest from it. Usually n log n steps for n points, n² at most.
    package static func simplified(_ points: [SIMD2<Float>], epsilon: Float) -> [Int] {
        guard points.count > 2, let start = points.first else { return Array(points.indices) }
        var farthest = 0
        var best: Float = 0
        for (index, point) in points.enumerated() {
            let distance = ((point - start) * (point - start)).sum()
            if distance > best { (farthest, best) = (index, distance) }
        }
        guard farthest > 0 else { return [0] }
        var isKept = [Bool](repeating: false, count: points.count)
        isKept[0] = true
        isKept[farthest] = true
        var parts = [(0, farthest), (farthest, points.count)]
        let limit = epsilon * epsilon
        while let (first, last) = parts.popLast() {
            let a = points[first], b = points[last == points.count ? 0 : last]
            var (split, most) = (-1, limit)
            for index in first + 1..<max(last, first + 1) {
                let distance = squaredDistance(of: points[index], toSegment: a, b)
                // Of equally far points the one in the middle: combs would split one tooth at a time.
                let isNearerMiddle = split >= 0 && abs(2 * index - first - last) < abs(2 * split - first - last)
                if distance > most || (distance == most && isNearerMiddle) { (split, most) = (index, distance) }
            }
            guard split >= 0 else { continue }
            isKept[split] = true
            parts.append((first, split))
            parts.append((split, last))
        }
        return isKept.indices.filter { isKept[$0] }
    }

    private static func squaredDistance(
        of point: SIMD2<Float>, toSegment a: SIMD2<Float>, _ b: SIMD2<Float>
    ) -> Float {
        let along = b - a, offset = point - a
        let length = (along * along).sum()
        guard length > 0 else { return (offset * offset).sum() }
        let part = max(0, min(1, (offset * along).sum() / length))
        let rest = offset - along * part
        return (rest * rest).sum()
    }

    /// Returns twice the area of a polygon, positive if it runs counter-clockwise where y points up.
    package static func doubledArea(_ points: [SIMD2<Double>]) -> Double {
        guard let last = points.last else { return 0 }
        var (sum, before) = (0.0, last)
        for point in points {
            sum += before.x * point.y - point.x * before.y
            before = point
        }
        return sum
    }

    /// Returns the length of the outline of a closed polygon.
    package static func perimeter(_ points: [SIMD2<Double>]) -> Double {
        guard let last = points.last else { return 0 }
        var (sum, before) = (0.0, last)
        for point in points {
            let step = point - before
            sum += (step * step).sum().squareRoot()
            before = point
        }
        return sum
    }

    /// Returns the corners of the convex hull, counter-clockwise where y points up (Andrew, 1979).
    package static func hull(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else { return sorted }
        func half(_ points: some Sequence<SIMD2<Double>>) -> [SIMD2<Double>] {
            var chain: [SIMD2<Double>] = []
            for point in points {
                while chain.count > 1 {
                    let a = chain[chain.count - 2], b = chain[chain.count - 1]
                    let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
                    guard turn <= 0 else { break }
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        let hull = half(sorted) + half(sorted.reversed())
        // All points may be the same.
        return hull.isEmpty ? [sorted[0]] : hull
    }

    /// Returns the smallest circle around points, which are finite and at least one (Welzl, 1991, on the convex hull).
    package static func boundingCircle(_ points: [SIMD2<Double>]) -> (center: SIMD2<Double>, radius: Double) {
        let corners = hull(points)
        var (center, radius) = (corners[0], 0.0)
        func isOutside(_ point: SIMD2<Double>) -> Bool {
            let offset = point - center
            return (offset * offset).sum().squareRoot() > radius * (1 + 1e-12)
        }
        // The order of a hull is bad for the expected time; strides of a fixed share of it are as good as random.
        let order = scattered(corners.count)
        for (i, first) in order.enumerated() where isOutside(corners[first]) {
            (center, radius) = (corners[first], 0)
            for (j, second) in order[..<i].enumerated() where isOutside(corners[second]) {
                center = (corners[first] + corners[second]) / 2
                radius = distance(corners[first], center)
                for third in order[..<j] where isOutside(corners[third]) {
                    guard let found = circle(corners[first], corners[second], corners[third]) else { continue }
                    (center, radius) = found
                }
            }
        }
        return (center, radius)
    }

    private static func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
        ((a - b) * (a - b)).sum().squareRoot()
    }

    /// Returns a fixed permutation of 0 ..< count without regularity.
    private static func scattered(_ count: Int) -> [Int] {
        var order = Array(0..<count)
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        for index in stride(from: count - 1, to: 0, by: -1) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            order.swapAt(index, Int((state >> 33) % UInt64(index + 1)))
        }
        return order
    }

    /// Returns the circle through three points; nil if they are on a line.
    private static func circle(
        _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>
    ) -> (center: SIMD2<Double>, radius: Double)? {
        let (p, q) = (b - a, c - a)
        let cross = 2 * (p.x * q.y - p.y * q.x)
        guard cross != 0 else { return nil }
        let (pp, qq) = ((p * p).sum(), (q * q).sum())
        let offset = SIMD2((q.y * pp - p.y * qq) / cross, (p.x * qq - q.x * pp) / cross)
        let center = a + offset
        return (center, max(distance(a, center), distance(b, center), distance(c, center)))
    }
}
