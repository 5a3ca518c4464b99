/// A linear map from histograms of oriented gradients around the 68 points, and the shape of the mesh, to the offsets
/// of the points.
struct FaceLandmarkStage: Sendable {
    private static let pointCount = 68
    private static let components = 32
    private static let rank = 64

    /// The distance of two pixels of the patch around a point at each scale, in pixels of the crop.
    private let steps: [Double]
    /// Whether the map's inputs contain the points themselves, beside those of the mesh.
    private let usesPoints: Bool
    /// The principal components of the histograms, one a row.
    private let basis: [Float]
    /// The factors of a low-rank matrix that maps the components and the shape to offsets.
    private let inner: [Float]
    private let outer: [Float]
    private let bias: [Float]

    /// - Parameters:
    ///   - table: Arrays with names such as `0.basis`, matrices row by row.
    ///   - index: The index of the stage in the table.
    /// - Throws: `WeightFileError`.
    init(_ table: BinaryTable, index: Int, steps: [Double], usesPoints: Bool) throws(WeightFileError) {
        self.steps = steps
        self.usesPoints = usesPoints
        let inputs = Self.pointCount * (Self.components + (usesPoints ? 2 : 0)) + 3 * FaceLandmarkWeights.nearest.count
        basis = try table.floats(
            "\(index).basis", count: Self.components * steps.count * FaceGradients.count)
        inner = try table.floats("\(index).inner", count: Self.rank * inputs)
        outer = try table.floats("\(index).outer", count: 2 * Self.pointCount * Self.rank)
        bias = try table.floats("\(index).bias", count: 2 * Self.pointCount)
    }

    /// Returns the mean of the offsets by the face and by its mirror image.
    ///
    /// - Parameters:
    ///   - points: The 68 points.
    ///   - shape: The points of the mesh, in the same unit.
    ///   - histograms: Returns the histograms around a point at scales with these steps.
    func offsets(
        of points: [SIMD2<Double>], _ shape: [SIMD3<Double>], histograms: (SIMD2<Double>, [Double]) -> [Float]
    ) -> [SIMD2<Double>] {
        let features = points.map { histograms($0, steps) }
        let plain = Self.product(outer, Self.product(inner, row(features, points, shape)))
        let mirror = FaceLandmarkWeights.mirror
        // The mirror image of a point is its partner.
        let mirrored = Self.product(
            outer,
            Self.product(
                inner,
                row(
                    mirror.map { FaceGradients.mirrored(features[$0]) },
                    mirror.map { SIMD2(-points[$0].x, points[$0].y) },
                    FaceMeshMirror.partner.map { SIMD3(-shape[$0].x, shape[$0].y, shape[$0].z) })))
        return (0..<Self.pointCount).map { index in
            let partner = mirror[index]
            let own = SIMD2(plain[2 * index] + bias[2 * index], plain[2 * index + 1] + bias[2 * index + 1])
            let other = SIMD2(
                -mirrored[2 * partner] - bias[2 * partner], mirrored[2 * partner + 1] + bias[2 * partner + 1])
            return (SIMD2<Double>(own) + SIMD2<Double>(other)) / 2
        }
    }

    /// Returns the inputs of the map.
    private func row(_ features: [[Float]], _ points: [SIMD2<Double>], _ shape: [SIMD3<Double>]) -> [Float] {
        var row = features.flatMap { Self.product(basis, $0) }
        if usesPoints {
            for point in points { row += [Float(point.x), Float(point.y)] }
        }
        for index in FaceLandmarkWeights.nearest {
            row += [Float(shape[index].x), Float(shape[index].y), Float(shape[index].z)]
        }
        return row
    }

    /// Returns a matrix, row by row, times a vector.
    private static func product(_ matrix: [Float], _ vector: [Float]) -> [Float] {
        let vectorised = vector.count / 16 * 16
        return matrix.withUnsafeBytes { matrix in
            vector.withUnsafeBytes { vector in
                let values = vector.bindMemory(to: Float.self)
                let count = values.count
                return (0..<matrix.count / vector.count).map { row in
                    let start = 4 * row * count
                    // Two sums, so that additions do not wait for each other.
                    var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
                    for index in stride(from: 0, to: 4 * vectorised, by: 64) {
                        first +=
                            matrix.loadUnaligned(fromByteOffset: start + index, as: SIMD8<Float>.self)
                            * vector.loadUnaligned(fromByteOffset: index, as: SIMD8<Float>.self)
                        second +=
                            matrix.loadUnaligned(fromByteOffset: start + index + 32, as: SIMD8<Float>.self)
                            * vector.loadUnaligned(fromByteOffset: index + 32, as: SIMD8<Float>.self)
                    }
                    return (vectorised..<count).reduce((first + second).sum()) { sum, index in
                        let weight = matrix.loadUnaligned(fromByteOffset: start + 4 * index, as: Float.self)
                        return sum + weight * values[index]
                    }
                }
            }
        }
    }
}
