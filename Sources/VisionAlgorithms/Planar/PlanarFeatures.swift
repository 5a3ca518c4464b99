/// Corners of an image with rotation-normalised descriptors of their surroundings, which can be matched after any
/// motion.
///
/// The descriptors are small normalised patches: Brown, Szeliski, Winder, "Multi-image matching using multi-scale
/// oriented patches" (2005). The orientation is that of the intensity centroid: Rosin, "Measuring corner properties"
/// (1999).
package struct PlanarFeatures: Sendable {
    struct Feature {
        var point: PlanarPoint
        /// The direction of the intensity centroid, as cosine and sine.
        var cosine: Double
        var sine: Double
        /// The distance between samples of the patch, in pixels of the image.
        var scale: Double
    }

    private static let inFrame = 360
    private static let side = 16
    /// The distance between samples of a patch, in pixels of its level.
    private static let step = 1.4
    /// The thresholds of the corner score: clear corners first, then also those that noise may cause.
    private static let minimumScores: [UInt8] = [40, 10]
    /// The length of a descriptor of 8 × 8 elements, in vectors of 16.
    private static let vectors = 4

    private(set) var features: [Feature] = []
    private var descriptors: [SIMD16<Float>] = []

    /// The approximate memory use in bytes.
    package var byteCount: Int {
        features.count * MemoryLayout<Feature>.stride + descriptors.count * MemoryLayout<SIMD16<Float>>.stride
    }

    /// The largest pixel count of the first of the four levels searched, which bounds the time.
    private static let maximumPixels = 1 << 20

    /// Finds the features of a whole frame that is searched for objects.
    package init(of pyramid: PlanarPyramid) throws {
        try self.init(pyramid, most: Self.inFrame) { _ in true }
    }

    /// Finds the features of a pyramid, at most `most`, only those for which `includes` is true.
    init(_ pyramid: PlanarPyramid, most: Int, where includes: (PlanarPoint) -> Bool) throws {
        let patch = try PlanarPatch(columns: Self.side, rows: Self.side)
        let last = pyramid.levels.count - 1
        let first = pyramid.levels.firstIndex { $0.width * $0.height <= Self.maximumPixels } ?? last
        // A level has a quarter of the pixels of the one before. It gets half as many features, because coarser ones
        // last longer.
        var share = 0.5
        for level in first...max(first, min(first + 3, last)) {
            let pixel = Double(1 << level)
            let corners = try PlanarCorners(pyramid.levels[level])
            let wanted = max(8, Int(Double(most) * share))
            var points: [PlanarPoint] = []
            // The lower threshold is used only if the clear corners are too few.
            for least in Self.minimumScores where points.count < wanted {
                points = Self.spread(
                    corners.corners(least: least), pixel: pixel, most: wanted, pyramid, where: includes)
            }
            for point in points { add(point, pixel: pixel, level: level, pyramid, patch) }
            share *= 0.6
        }
    }

    /// Returns the corners with the highest scores, with a limit for each part of the image.
    private static func spread(
        _ corners: [PlanarCorners.Corner], pixel: Double, most: Int, _ pyramid: PlanarPyramid,
        where includes: (PlanarPoint) -> Bool
    ) -> [PlanarPoint] {
        let across = 8, down = 6
        let limit = max(3, 3 * most / (across * down))
        var taken = [Int](repeating: 0, count: across * down)
        var result: [PlanarPoint] = []
        for index in byScore(corners) where result.count < most {
            let corner = corners[index]
            let point = PlanarPoint(x: (Double(corner.x) + 0.5) * pixel, y: (Double(corner.y) + 0.5) * pixel)
            guard includes(point) else { continue }
            let x = min(across - 1, max(0, Int(point.x / Double(pyramid.width) * Double(across))))
            let y = min(down - 1, max(0, Int(point.y / Double(pyramid.height) * Double(down))))
            guard taken[y * across + x] < limit else { continue }
            taken[y * across + x] += 1
            result.append(point)
        }
        return result
    }

    /// Returns the indices of corners from the highest score to the lowest, and in image order for equal scores, so
    /// that the result is deterministic.
    private static func byScore(_ corners: [PlanarCorners.Corner]) -> [Int] {
        var starts = [Int](repeating: 0, count: 257)
        for corner in corners { starts[256 - Int(corner.score)] += 1 }
        for rank in 1..<257 { starts[rank] += starts[rank - 1] }
        var result = [Int](repeating: 0, count: corners.count)
        for (index, corner) in corners.enumerated() {
            let rank = 255 - Int(corner.score)
            result[starts[rank]] = index
            starts[rank] += 1
        }
        return result
    }

    private mutating func add(
        _ point: PlanarPoint, pixel: Double, level: Int, _ pyramid: PlanarPyramid, _ patch: PlanarPatch
    ) {
        let scale = Self.step * pixel
        let half = scale * Double(Self.side) / 2
        patch.sample(
            pyramid, level: level, map: Homography([half, 0, point.x], [0, half, point.y], [0, 0, 1]))
        guard let (cosine, sine) = Self.direction(of: patch) else { return }
        patch.sample(
            pyramid, level: level,
            map: Homography(
                [half * cosine, -half * sine, point.x], [half * sine, half * cosine, point.y], [0, 0, 1]))
        guard let descriptor = Self.descriptor(of: patch) else { return }
        features.append(Feature(point: point, cosine: cosine, sine: sine, scale: scale))
        descriptors += descriptor
    }

    private static let ramp = SIMD16<Float>((0..<16).map { Float($0) - 7.5 })

    /// Returns the direction of the intensity centroid of a patch; nil if it is in the middle, or the patch is not in
    /// the image.
    private static func direction(of patch: PlanarPatch) -> (cosine: Double, sine: Double)? {
        var (x, y, total) = (Float(0), Float(0), Float(0))
        patch.values.withUnsafeFloats { values in
            patch.inside.withUnsafeFloats { inside in
                for row in 0..<side {
                    let v = UnsafeRawPointer(values + row * side).loadUnaligned(as: SIMD16<Float>.self)
                    let mask = UnsafeRawPointer(inside + row * side).loadUnaligned(as: SIMD16<Float>.self)
                    total += mask.sum()
                    // Only the inscribed circle counts, which is the same in all directions.
                    let vertical = ramp[row]
                    let within = (ramp * ramp + vertical * vertical) .<= 60
                    let kept = v.replacing(with: 0, where: .!within)
                    x += (kept * ramp).sum()
                    y += kept.sum() * vertical
                }
            }
        }
        guard total >= Float(side * side) else { return nil }
        let length = (Double(x) * Double(x) + Double(y) * Double(y)).squareRoot()
        guard length > 1 else { return nil }
        return (Double(x) / length, Double(y) / length)
    }

    /// Returns the patch at half its size, with mean 0 and norm 1; nil for flat ones and those partly outside of the
    /// image.
    private static func descriptor(of patch: PlanarPatch) -> [SIMD16<Float>]? {
        var result = [SIMD16<Float>](repeating: .zero, count: vectors)
        var complete = true
        patch.values.withUnsafeFloats { values in
            patch.inside.withUnsafeFloats { inside in
                for row in 0..<8 {
                    let upper = UnsafeRawPointer(values + 2 * row * side).loadUnaligned(as: SIMD16<Float>.self)
                    let lower = UnsafeRawPointer(values + (2 * row + 1) * side).loadUnaligned(as: SIMD16<Float>.self)
                    let masks =
                        UnsafeRawPointer(inside + 2 * row * side).loadUnaligned(as: SIMD16<Float>.self)
                        + UnsafeRawPointer(inside + (2 * row + 1) * side).loadUnaligned(as: SIMD16<Float>.self)
                    if masks.sum() < 32 { complete = false }
                    let both = upper + lower
                    let halves = both.evenHalf + both.oddHalf
                    if row % 2 == 0 { result[row / 2].lowHalf = halves } else { result[row / 2].highHalf = halves }
                }
            }
        }
        guard complete else { return nil }
        let mean = result.reduce(0) { $0 + $1.sum() } / 64
        for index in 0..<vectors { result[index] -= mean }
        let length = result.reduce(0) { $0 + ($1 * $1).sum() }.squareRoot()
        // The norm of sums of four samples at a standard deviation of four grey levels.
        guard length > 4 * 4 * 8 else { return nil }
        for index in 0..<vectors { result[index] /= length }
        return result
    }

    struct Match {
        var own: Int
        var other: Int
        var score: Float
    }

    /// Returns, for each feature, the most similar one of another image if it is clearly better than the second best.
    /// The best matches come first.
    func matches(in other: PlanarFeatures) -> [Match] {
        var result: [Match] = []
        for own in features.indices {
            var (best, second, bestIndex) = (Float(-1), Float(-1), -1)
            for index in other.features.indices {
                var sum = SIMD16<Float>()
                for vector in 0..<Self.vectors {
                    sum += descriptors[own * Self.vectors + vector] * other.descriptors[index * Self.vectors + vector]
                }
                let score = sum.sum()
                if score > best {
                    // The same corner at another level is not a rival.
                    if bestIndex < 0 || other.features[bestIndex].point.distance(to: other.features[index].point) > 6 {
                        second = best
                    }
                    (best, bestIndex) = (score, index)
                } else if score > second, other.features[bestIndex].point.distance(to: other.features[index].point) > 6
                {
                    second = score
                }
            }
            guard bestIndex >= 0, best > 0.75, 1 - best < 0.85 * (1 - second) else { continue }
            result.append(Match(own: own, other: bestIndex, score: best))
        }
        return result.sorted { ($1.score, $0.own) < ($0.score, $1.own) }
    }
}
