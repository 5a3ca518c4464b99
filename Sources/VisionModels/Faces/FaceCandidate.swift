/// What a detection network takes for a face, in pixels of the picture that it was found in, y down.
package struct FaceCandidate: Hashable, Sendable {
    /// The places of a face that detection finds, sides as the person has them.
    package enum Place: Int, CaseIterable, Sendable {
        case rightEye, leftEye, noseTip, mouth, rightEar, leftEar
    }

    package var centre: SIMD2<Double>
    /// From about the brows to the chin, and as wide.
    package var size: SIMD2<Double>
    /// One for each of `Place`.
    package var points: [SIMD2<Double>]
    /// 0…1.
    package var score: Double
    /// The network that found it.
    package var network = FaceNetwork.Kind.shortRange

    package subscript(place: Place) -> SIMD2<Double> { points[place.rawValue] }

    /// The direction from the person's right eye to the left one.
    var eyeAxis: SIMD2<Double> { self[.leftEye] - self[.rightEye] }

    /// Overlap of the boxes: the common area as a share of the whole.
    func overlap(with other: FaceCandidate) -> Double {
        let common = commonArea(with: other)
        let all = size.x * size.y + other.size.x * other.size.y - common
        return all > 0 ? common / all : 0
    }

    /// The common area of the boxes as a share of the smaller one.
    func coverOfSmaller(with other: FaceCandidate) -> Double {
        let smaller = min(size.x * size.y, other.size.x * other.size.y)
        return smaller > 0 ? commonArea(with: other) / smaller : 0
    }

    private func commonArea(with other: FaceCandidate) -> Double {
        let low = pointwiseMax(centre - size / 2, other.centre - other.size / 2)
        let high = pointwiseMin(centre + size / 2, other.centre + other.size / 2)
        return max(high.x - low.x, 0) * max(high.y - low.y, 0)
    }
}
