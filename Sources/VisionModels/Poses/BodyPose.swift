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

    /// A pose with fewer joints in the image is judged as if it had so many: with one or two, chance decides.
    private static let leastJoints = 5

    /// The mean of the heat maps' peaks of the decisive joints, 0…1: how well the network sees the body.
    package var clarity: Double {
        BodyJoint.decisiveLandmarks.reduce(0) { $0 + landmarks[$1].peak } / Double(BodyJoint.decisiveLandmarks.count)
    }

    /// How many of the decisive joints lie in a region: of a body that the edge of the image cuts, only some.
    package func visibleCount(in region: PixelRegion) -> Int {
        BodyJoint.decisiveLandmarks.count { region.contains(landmarks[$0].position) }
    }

    /// How well the pose fits to a person in a box, 0…1: the mean peak of the decisive joints in the image, where those
    /// of another person count as not seen: the ones outside of the box.
    ///
    /// - Parameters:
    ///   - box: of the person.
    ///   - others: The boxes of other people; if given, only joints outside of the box that lie in one of these are
    ///     another's.
    ///   - region: What can be seen of the image. Joints outside of it cannot be seen in any crop.
    package func quality(in box: PixelRegion, others: [PixelRegion]? = nil, of region: PixelRegion) -> Double {
        let margin = 0.15 * max(box.width, box.height)
        let near = PixelRegion(
            x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin)
        let sum = BodyJoint.decisiveLandmarks.map { landmarks[$0] }.reduce(0) { sum, landmark in
            let isOwn =
                near.contains(landmark.position)
                || others?.allSatisfy { !$0.contains(landmark.position) } ?? false
            return isOwn ? sum + landmark.peak : sum
        }
        return min(1, sum / Double(max(visibleCount(in: region), Self.leastJoints)))
    }

    /// The mean probability that the decisive joints in the image are where the pose states them, 0…1.
    ///
    /// - Parameter region: What can be seen of the image.
    package func confidence(within region: PixelRegion) -> Double {
        let sum = BodyJoint.decisiveLandmarks.filter { region.contains(landmarks[$0].position) }
            .reduce(0) { $0 + PoseConfidence.probability(of: landmarks[$1]) }
        return sum / Double(max(visibleCount(in: region), Self.leastJoints))
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
        let sum = BodyJoint.decisiveLandmarks.reduce(0.0) { sum, index in
            let offset = landmarks[index].position - other.landmarks[index].position
            return sum + (offset * offset).sum().squareRoot()
        }
        return sum / Double(BodyJoint.decisiveLandmarks.count) / max(crop.extent.x, other.crop.extent.x)
    }

    /// The probability that a joint is where the pose states it, 0…1.
    ///
    /// - Parameter region: What can be seen, in pixels of the image: a joint outside of it is a guess.
    package func confidence(_ joint: BodyJoint, within region: PixelRegion) -> Double {
        joint.landmarks.map { index in
            let landmark = landmarks[index]
            return PoseConfidence.probability(of: landmark)
                * (region.contains(landmark.position) ? 1 : Self.outsideFactor)
        }.min() ?? 0
    }
}
