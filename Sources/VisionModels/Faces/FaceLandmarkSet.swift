import Foundation

/// Where the parts of a face are, in pixels of the image, y down, and how exactly that is known.
package struct FaceLandmarkSet: Sendable {
    /// The 68 points of iBUG (Sagonas et al., "300 Faces in-the-Wild Challenge", 2013).
    package let points: [SIMD2<Double>]
    /// The middles of the irises.
    package let rightPupil: SIMD2<Double>
    package let leftPupil: SIMD2<Double>
    /// How far each of the points is off, in pixels: an expectation.
    package let errors: [Double]
    /// How likely there is a face, times the share of points that are expected to be off by less than a tenth of the
    /// distance of the outer eye corners.
    package let confidence: Double
    private let mesh: [SIMD3<Double>]

    /// - Parameters:
    ///   - points: the 68 points, which the refiner has moved.
    ///   - pupils: nil where they are to be taken for the middles of the eyes.
    init(_ mesh: FaceMesh, points: [SIMD2<Double>], rightPupil: SIMD2<Double>?, leftPupil: SIMD2<Double>?) {
        func middle(_ places: ClosedRange<Int>) -> SIMD2<Double> {
            points[places].reduce(SIMD2.zero, +) / Double(places.count)
        }
        self.points = points
        self.mesh = mesh.points
        self.rightPupil = rightPupil ?? middle(36...41)
        self.leftPupil = leftPupil ?? middle(42...47)
        let corners = points[45] - points[36]
        let size = (corners * corners).sum().squareRoot()
        let growth = Self.growth(of: mesh, size: size)
        errors = FaceLandmarkWeights.errors.map { $0 * growth * size }
        // Distances of two dimensions about a mean.
        let shares = FaceLandmarkWeights.errors.map { 1 - exp(-.pi / 4 * pow(0.1 / ($0 * growth), 2)) }
        confidence = mesh.presence * shares.reduce(0, +) / Double(shares.count)
    }

    /// The 68 points as weighted means of points of the mesh: where the refiner starts.
    static func points68(of mesh: FaceMesh) -> [SIMD2<Double>] {
        FaceLandmarkWeights.rows.map { row in
            zip(row.points, row.weights).reduce(SIMD2.zero) { sum, part in
                let point = mesh.points[part.0]
                return sum + SIMD2(point.x, point.y) * part.1
            }
        }
    }

    /// How much worse than usual the points are, by how far the two looks at the face differ. Faces turned far to a
    /// side would make the distance of the eyes too small to compare with; the limits hold for them, too.
    private static func growth(of mesh: FaceMesh, size: Double) -> Double {
        guard !mesh.spread.isEmpty, size > 0 else { return 1 }
        let nearest = FaceLandmarkWeights.nearest
        let spread = nearest.reduce(0) { $0 + mesh.spread[$1] } / Double(nearest.count) / size
        return pow(min(max(spread / FaceLandmarkWeights.spread, 0.3), 6), FaceLandmarkWeights.power)
    }

    /// The landmarks of a constellation, and how far each is off, in pixels of the image.
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
