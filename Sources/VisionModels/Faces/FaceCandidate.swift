/// A face candidate of a detection network, in pixels of the image that it was found in, y down.
package struct FaceCandidate: Hashable, Sendable {
    /// The keypoints of a face that detection finds; left and right are the person's.
    package enum Keypoint: Int, CaseIterable, Sendable {
        case rightEye, leftEye, noseTip, mouth, rightEar, leftEar
    }

    package var centre: SIMD2<Double>
    /// From about the brows to the chin, and as wide.
    package var size: SIMD2<Double>
    /// One for each `Keypoint`.
    package var points: [SIMD2<Double>]
    /// 0…1.
    package var score: Double
    /// The network that found it.
    package var network = FaceNetwork.Kind.shortRange

    package subscript(keypoint: Keypoint) -> SIMD2<Double> { points[keypoint.rawValue] }

    /// The direction from the person's right eye to the left one.
    var eyeAxis: SIMD2<Double> { self[.leftEye] - self[.rightEye] }

    /// Returns the intersection over union of the boxes.
    func overlap(with other: FaceCandidate) -> Double {
        let common = commonArea(with: other)
        let all = size.x * size.y + other.size.x * other.size.y - common
        return all > 0 ? common / all : 0
    }

    /// Returns the common area of the boxes as a share of the smaller one.
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
