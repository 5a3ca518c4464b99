import Foundation

/// The landmarks of a face, in pixels of the image, y down, with their expected errors.
package struct FaceLandmarkSet: Sendable {
    /// The 68 points of iBUG (Sagonas et al., "300 Faces in-the-Wild Challenge", 2013).
    package let points: [SIMD2<Double>]
    /// The centres of the irises.
    package let rightPupil: SIMD2<Double>
    package let leftPupil: SIMD2<Double>
    /// The expected error of each of the points, in pixels.
    package let errors: [Double]
    /// The probability of a face times the share of points with an expected error of less than a tenth of the distance
    /// of the outer eye corners.
    package let confidence: Double
    private let mesh: [SIMD3<Double>]

    /// - Parameters:
    ///   - points: The 68 refined points.
    ///   - rightPupil: nil for the centre of the right eye.
    ///   - leftPupil: nil for the centre of the left eye.
    init(_ mesh: FaceMesh, points: [SIMD2<Double>], rightPupil: SIMD2<Double>?, leftPupil: SIMD2<Double>?) {
        func centre(_ indices: ClosedRange<Int>) -> SIMD2<Double> {
            points[indices].reduce(SIMD2.zero, +) / Double(indices.count)
        }
        self.points = points
        self.mesh = mesh.points
        self.rightPupil = rightPupil ?? centre(36...41)
        self.leftPupil = leftPupil ?? centre(42...47)
        let corners = points[45] - points[36]
        let size = (corners * corners).sum().squareRoot()
        let growth = Self.growth(of: mesh, size: size)
        errors = FaceLandmarkWeights.errors.map { $0 * growth * size }
        // The distances of a two-dimensional normal distribution follow a Rayleigh distribution.
        let shares = FaceLandmarkWeights.errors.map { 1 - exp(-.pi / 4 * pow(0.1 / ($0 * growth), 2)) }
        confidence = mesh.presence * shares.reduce(0, +) / Double(shares.count)
    }

    /// Returns the 68 points as weighted means of points of the mesh: the initial shape of the refiner.
    static func points68(of mesh: FaceMesh) -> [SIMD2<Double>] {
        FaceLandmarkWeights.rows.map { row in
            zip(row.points, row.weights).reduce(SIMD2.zero) { sum, part in
                let point = mesh.points[part.0]
                return sum + SIMD2(point.x, point.y) * part.1
            }
        }
    }

    /// Returns the factor of the expected errors, by how far the meshes of the crop and of its mirror image differ. The
    /// limits cover profile faces, where the distance of the eyes is too small to compare with.
    private static func growth(of mesh: FaceMesh, size: Double) -> Double {
        guard !mesh.spread.isEmpty, size > 0 else { return 1 }
        let nearest = FaceLandmarkWeights.nearest
        let spread = nearest.reduce(0) { $0 + mesh.spread[$1] } / Double(nearest.count) / size
        return pow(min(max(spread / FaceLandmarkWeights.spread, 0.3), 6), FaceLandmarkWeights.power)
    }

    /// Returns the landmarks of a constellation with their expected errors, in pixels of the image.
    package func landmarks(of constellation: FaceConstellation) -> [(point: SIMD2<Double>, error: Double)] {
        constellation.spots.map { spot in
            switch spot {
            case .point(let index): (points[index], errors[index])
            case .between(let first, let second, let share):
                (
                    points[first] * (1 - share) + points[second] * share,
                    errors[first] * (1 - share) + errors[second] * share
                )
            case .mesh(let index, let similar): (SIMD2(mesh[index].x, mesh[index].y), errors[similar])
            case .pupil(let isLeft):
                isLeft
                    ? (leftPupil, (errors[42] + errors[45]) / 2) : (rightPupil, (errors[36] + errors[39]) / 2)
            }
        }
    }
}
