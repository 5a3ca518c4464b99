import Foundation
package import VisionImage

/// The joints of one body in the image, in pixels, y down.
package struct KeypointPose: Hashable, Sendable {
    /// The joints that are seen; neck and root are made of them.
    package static let count = 17

    package struct Keypoint: Hashable, Sendable {
        /// In pixels of the image.
        package var position: SIMD2<Double>
        /// The probability that the joint lies within a fifth of the torso of it, 0…1.
        package var confidence: Double
    }

    /// `count` of them, in the order of `BodyJoint`.
    package let keypoints: [Keypoint]

    /// What the confidence of a joint outside the image is multiplied by.
    private static let outsideFactor = 0.2
    /// A pose with fewer joints in the image is judged as if it had so many: with one or two, chance decides.
    private static let leastJoints = 5
    /// The joints that are clear even where the edge of the image cuts the body at the waist.
    private static let upperJoints: [BodyJoint] = [.nose, .leftShoulder, .rightShoulder]

    package init(keypoints: [Keypoint]) {
        precondition(keypoints.count == Self.count)
        self.keypoints = keypoints
    }

    /// - Parameter pose: of the landmark network.
    package init(_ pose: BodyPose) {
        keypoints = BodyJoint.allCases.prefix(Self.count).map { joint in
            let landmark = pose.landmarks[joint.landmarks[0]]
            return Keypoint(position: landmark.position, confidence: PoseConfidence.probability(of: landmark))
        }
    }

    private static func indices(of joint: BodyJoint) -> [Int] {
        switch joint {
        case .neck: [BodyJoint.leftShoulder.rawValue, BodyJoint.rightShoulder.rawValue]
        case .root: [BodyJoint.leftHip.rawValue, BodyJoint.rightHip.rawValue]
        default: [joint.rawValue]
        }
    }

    package func position(_ joint: BodyJoint) -> SIMD2<Double> {
        let indices = Self.indices(of: joint)
        return indices.reduce(.zero) { $0 + keypoints[$1].position } / Double(indices.count)
    }

    /// The probability that a joint is where the pose states it, 0…1.
    ///
    /// - Parameter region: What can be seen, in pixels of the image: a joint outside of it is a guess.
    package func confidence(_ joint: BodyJoint, within region: PixelRegion) -> Double {
        Self.indices(of: joint).map { index in
            keypoints[index].confidence * (region.contains(keypoints[index].position) ? 1 : Self.outsideFactor)
        }.min() ?? 0
    }

    private var decisive: [Keypoint] { BodyJoint.decisive.map { keypoints[$0.rawValue] } }

    /// The mean confidence of the decisive joints in the image, 0…1.
    ///
    /// - Parameter region: What can be seen of the image.
    package func confidence(within region: PixelRegion) -> Double {
        let inside = decisive.filter { region.contains($0.position) }
        return inside.reduce(0) { $0 + $1.confidence } / Double(max(inside.count, Self.leastJoints))
    }

    /// How many of the decisive joints lie in a region with this confidence.
    package func count(in region: PixelRegion, leastConfidence: Double) -> Int {
        decisive.count { $0.confidence >= leastConfidence && region.contains($0.position) }
    }

    /// The mean confidence of the nose and the shoulders, 0…1.
    package var upperConfidence: Double {
        Self.upperJoints.reduce(0) { $0 + keypoints[$1.rawValue].confidence } / Double(Self.upperJoints.count)
    }

    /// The box around the decisive joints.
    package var extent: PixelRegion {
        let points = decisive.map(\.position)
        let low = points.reduce(points[0], pointwiseMin)
        let size = points.reduce(points[0], pointwiseMax) - low
        return PixelRegion(x: low.x, y: low.y, width: size.x, height: size.y)
    }

    /// The middle of the decisive joints.
    package var middle: SIMD2<Double> {
        decisive.reduce(.zero) { $0 + $1.position } / Double(BodyJoint.decisive.count)
    }

    /// The mean distance of the decisive joints of two poses, relative to the longer side of the larger body.
    package func distance(to other: KeypointPose) -> Double {
        let sum = zip(decisive, other.decisive).reduce(0.0) { $0 + Self.distance($1.0, $1.1) }
        return sum / Double(BodyJoint.decisive.count) / side(with: other)
    }

    /// The mean distance of the joints of two poses, relative to the longer side of the larger body. A joint counts as
    /// much as the lower of its two confidences: of one body that is hidden in part, the joints that are seen coincide,
    /// and those that are guessed need not.
    package func seenDistance(to other: KeypointPose) -> Double {
        var (sum, weights) = (0.0, 0.0)
        for (one, another) in zip(keypoints, other.keypoints) {
            let weight = max(min(one.confidence, another.confidence), .leastNormalMagnitude)
            sum += weight * Self.distance(one, another)
            weights += weight
        }
        return sum / weights / side(with: other)
    }

    private static func distance(_ one: Keypoint, _ other: Keypoint) -> Double {
        let offset = one.position - other.position
        return (offset * offset).sum().squareRoot()
    }

    private func side(with other: KeypointPose) -> Double {
        [extent, other.extent].reduce(1) { max($0, $1.width, $1.height) }
    }
}
