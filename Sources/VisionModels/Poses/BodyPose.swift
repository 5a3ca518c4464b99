import Foundation
package import VisionImage

/// The landmarks of one body, in pixels of the image, y down.
package struct BodyPose: Hashable, Sendable {
    /// The landmarks of the body.
    package static let landmarkCount = 33
    /// Beside those of the body: two that state the circle around it, and four that are not used.
    static let outputCount = 39
    /// The middle of the hips, and a point of the circle around the body, above the head.
    private static let (centreLandmark, circleLandmark) = (33, 34)

    /// What the confidence of a joint outside the image is multiplied by.
    private static let outsideFactor = 0.2

    /// What the network states of a landmark.
    package struct Landmark: Hashable, Sendable {
        /// In pixels of the image.
        package var position: SIMD2<Double>
        /// How far the landmark lies from the camera, in the same unit, from an origin in the middle of the hips.
        package var depth: Double
        /// The probability that it lies in the crop.
        package var presence: Double
        /// The probability that nothing hides it.
        package var visibility: Double
        /// The largest value of its heat map, 0…1: how well the network sees it.
        package var peak: Double
    }

    /// `outputCount` of them.
    package let landmarks: [Landmark]
    /// In metres from the middle of the hips, along the axes of the image, y down, z away from the camera.
    package let world: [SIMD3<Double>]
    /// The probability of a person in the crop, 0…1.
    package let presence: Double
    /// The crop that the network processed.
    package let crop: ImagePatch

    package func position(_ joint: BodyJoint) -> SIMD2<Double> {
        let indices = joint.landmarks
        return indices.reduce(.zero) { $0 + landmarks[$1].position } / Double(indices.count)
    }

    /// The mean of the heat maps' peaks of the decisive joints, 0…1: how well the network sees the body.
    package var clarity: Double {
        let peaks = BodyJoint.decisive.flatMap(\.landmarks).map { landmarks[$0].peak }
        return peaks.reduce(0, +) / Double(peaks.count)
    }

    /// How well the pose fits to a person in a box: its clarity without the joints outside of the box, which are those
    /// of another person.
    package func quality(in box: PixelRegion) -> Double {
        let margin = 0.15 * max(box.width, box.height)
        let indices = BodyJoint.decisive.flatMap(\.landmarks)
        let inside = indices.filter { index in
            let position = landmarks[index].position
            return position.x > box.x - margin && position.x < box.x + box.width + margin
                && position.y > box.y - margin && position.y < box.y + box.height + margin
        }
        return inside.reduce(0) { $0 + landmarks[$1].peak } / Double(indices.count)
    }

    /// The box around the decisive joints.
    package var extent: PixelRegion {
        let points = BodyJoint.decisive.map(position)
        let low = points.reduce(points[0], pointwiseMin)
        let size = points.reduce(points[0], pointwiseMax) - low
        return PixelRegion(x: low.x, y: low.y, width: size.x, height: size.y)
    }

    /// The square around the body as the network was trained on it: upright along the body, around the circle that
    /// its landmarks state; nil where that is not finite.
    package func nextCrop(size: Int) -> ImagePatch? {
        let centre = landmarks[Self.centreLandmark].position
        let up = landmarks[Self.circleLandmark].position - centre
        let side = 2 * 1.25 * (up * up).sum().squareRoot()
        guard side.isFinite, side >= 1, centre.x.isFinite, centre.y.isFinite else { return nil }
        return ImagePatch(centre: centre, side: side, axis: SIMD2(-up.y, up.x), size: size)
    }

    /// The mean distance of the decisive joints of two poses, relative to the larger crop.
    package func distance(to other: BodyPose) -> Double {
        let indices = BodyJoint.decisive.flatMap(\.landmarks)
        let sum = indices.reduce(0.0) { sum, index in
            let offset = landmarks[index].position - other.landmarks[index].position
            return sum + (offset * offset).sum().squareRoot()
        }
        return sum / Double(indices.count) / max(crop.extent.x, other.crop.extent.x)
    }

    /// The probability that a joint is where the pose states it, 0…1.
    ///
    /// - Parameter region: What can be seen, in pixels of the image: a joint outside of it is a guess.
    package func confidence(_ joint: BodyJoint, within region: PixelRegion) -> Double {
        joint.landmarks.map { index in
            let (landmark, position) = (landmarks[index], landmarks[index].position)
            let isInside =
                position.x >= region.x && position.y >= region.y && position.x <= region.x + region.width
                && position.y <= region.y + region.height
            return PoseConfidence.probability(of: landmark) * (isInside ? 1 : Self.outsideFactor)
        }.min() ?? 0
    }
}
