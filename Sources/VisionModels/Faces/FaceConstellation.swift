/// A part of a face that landmarks outline. Sides are the person's.
package enum FaceRegion: String, CaseIterable, Sendable {
    case faceContour, leftEye, rightEye, leftEyebrow, rightEyebrow, nose, noseCrest, medianLine, outerLips, innerLips,
        leftPupil, rightPupil
}

/// A set of landmarks: its points, their order, and the points of each region.
///
/// `Documentation/FaceLandmarks.md` shows the sets.
package struct FaceConstellation: Sendable {
    /// The position of a landmark.
    enum Spot: Hashable, Sendable {
        /// One of the 68 points of iBUG.
        case point(Int)
        /// A point between two of them, at this fraction of the way from the first to the second.
        case between(Int, Int, Double)
        /// A point of the mesh, and the one of the 68 with about the same error.
        case mesh(Int, exactAs: Int)
        case pupil(isLeft: Bool)
    }

    let spots: [Spot]
    private let regions: [FaceRegion: [Int]]

    package var pointCount: Int { spots.count }

    /// Returns the indices of the landmarks of a region.
    package func indices(of region: FaceRegion) -> [Int] { regions[region] ?? [] }

    /// Whether the landmarks of a region form a closed outline.
    package static func isClosed(_ region: FaceRegion) -> Bool {
        [.leftEye, .rightEye, .outerLips, .innerLips].contains(region)
    }

    /// Revisions 1 to 3.
    package static let points65: FaceConstellation = {
        let parts: [[Spot]] = [
            along(Array(17...21), 4), along(Array(22...26), 4),
            along([36, 37, 38, 39], 5), inside([39, 40, 41, 36], 5),
            along([42, 43, 44, 45], 5), inside([45, 46, 47, 42], 5),
            points(48...54), inside([54, 55, 56, 57, 58, 59, 48], 5), points([60, 62, 64, 65, 66, 67]),
            along(Array(0...16), 11),
            [.mesh(193, exactAs: 27), .mesh(198, exactAs: 31)], points(31...35),
            [.mesh(420, exactAs: 35), .mesh(417, exactAs: 27)], along([27, 28, 29, 30], 3),
            [.pupil(isLeft: false), .pupil(isLeft: true)],
        ]
        return FaceConstellation(
            spots: Array(parts.joined()),
            regions: [
                .rightEyebrow: Array(0...3), .leftEyebrow: Array(4...7), .rightEye: Array(8...15),
                .leftEye: Array(16...23), .outerLips: Array(24...33), .innerLips: Array(34...39),
                .faceContour: Array(40...50), .nose: Array(51...59), .noseCrest: Array(60...62),
                .medianLine: [60, 61, 62, 55, 27, 35, 38, 32, 45], .rightPupil: [63], .leftPupil: [64],
            ])
    }()

    /// Revision 3.
    package static let points76: FaceConstellation = {
        let parts: [[Spot]] = [
            along(Array(17...21), 6), along(Array(22...26), 6), points(36...47),
            points([48]), [.between(48, 49, 0.5)], points(49...53), [.between(53, 54, 0.5)], points(54...59),
            points([60, 62, 64, 65, 66, 67]), points(0...16),
            [.mesh(198, exactAs: 31)], points(31...35), [.mesh(420, exactAs: 35)], points([30]),
            [.mesh(9, exactAs: 27), .mesh(8, exactAs: 27)], points([27, 28, 29]),
            [.pupil(isLeft: false), .pupil(isLeft: true)],
        ]
        return FaceConstellation(
            spots: Array(parts.joined()),
            regions: [
                .rightEyebrow: Array(0...5), .leftEyebrow: Array(6...11), .rightEye: Array(12...17),
                .leftEye: Array(18...23), .outerLips: Array(24...37), .innerLips: Array(38...43),
                .faceContour: Array(44...60), .nose: Array(61...68), .noseCrest: [69, 70, 71, 72, 73, 68],
                .medianLine: [71, 72, 73, 68, 64, 28, 39, 42, 35, 52], .rightPupil: [74], .leftPupil: [75],
            ])
    }()

    private static func points(_ indices: some Sequence<Int>) -> [Spot] { indices.map { .point($0) } }

    /// Returns the spots of `along` without both ends.
    private static func inside(_ points: [Int], _ count: Int) -> [Spot] {
        Array(along(points, count).dropFirst().dropLast())
    }

    /// Returns evenly spaced spots along a polyline of some of the 68 points.
    private static func along(_ points: [Int], _ count: Int) -> [Spot] {
        (0..<count).map { index in
            // Integer arithmetic, so that a spot on a point is exactly that point.
            let (position, rest) = (index * (points.count - 1)).quotientAndRemainder(dividingBy: count - 1)
            return rest == 0
                ? .point(points[position])
                : .between(points[position], points[position + 1], Double(rest) / Double(count - 1))
        }
    }
}
