import Foundation
import VisionImage

/// A body in three dimensions, made of the landmarks of a pose.
///
/// Positions are in metres from the middle of the hips: x to the right of the image, y up, z towards the camera. The
/// size of a person cannot be seen in a photo; the skeleton is scaled to a person of `referenceHeight`.
package struct BodySkeleton: Hashable, Sendable {
    /// The height of a person whose height is not known, in metres.
    package static let referenceHeight = 1.8

    package enum Joint: Int, CaseIterable, Sendable {
        case root, spine, centreShoulder, centreHead, topHead, leftShoulder, leftElbow, leftWrist, rightShoulder
        case rightElbow, rightWrist, leftHip, leftKnee, leftAnkle, rightHip, rightKnee, rightAnkle

        /// The joint of which this one is the end of a bone; nil for the root.
        package var parent: Joint? {
            switch self {
            case .root: nil
            case .spine, .leftHip, .rightHip: .root
            case .centreShoulder: .spine
            case .centreHead, .leftShoulder, .rightShoulder: .centreShoulder
            case .topHead: .centreHead
            case .leftElbow: .leftShoulder
            case .leftWrist: .leftElbow
            case .rightElbow: .rightShoulder
            case .rightWrist: .rightElbow
            case .leftKnee: .leftHip
            case .leftAnkle: .leftKnee
            case .rightKnee: .rightHip
            case .rightAnkle: .rightKnee
            }
        }

        /// The landmarks that the joint is the mean of; the top of the head is none of them.
        fileprivate var landmarks: [Int] {
            switch self {
            case .root: [23, 24]
            case .spine: [11, 12, 23, 24]
            case .centreShoulder: [11, 12]
            case .centreHead, .topHead: [7, 8]
            case .leftShoulder: [11]
            case .leftElbow: [13]
            case .leftWrist: [15]
            case .rightShoulder: [12]
            case .rightElbow: [14]
            case .rightWrist: [16]
            case .leftHip: [23]
            case .leftKnee: [25]
            case .leftAnkle: [27]
            case .rightHip: [24]
            case .rightKnee: [26]
            case .rightAnkle: [28]
            }
        }
    }

    /// By the index of the joint.
    package let positions: [SIMD3<Double>]
    /// The positions in pixels of the image, by the index of the joint.
    package let imagePositions: [SIMD2<Double>]
    /// The position of the root as the camera sees it, with the same axes; z is negative.
    package let offset: SIMD3<Double>

    /// The top of the head lies this far above the ears, in distances from the mouth to the eyes.
    private static let headRise = 2.0
    /// The ankle's height above the sole, in heights of the body.
    private static let ankleHeight = 0.045
    /// Lengths of bones that the height may be made of, in metres: those of others are no body's.
    private static let plausibleHeights = 0.3...3.0
    /// The focal length of a camera that is not known, in longer sides of the image: an angle of view of 65°.
    private static let focalLength = 0.785

    package func position(_ joint: Joint) -> SIMD3<Double> { positions[joint.rawValue] }

    /// - Parameters:
    ///   - pose: In pixels of the image.
    ///   - width: The columns of the image.
    ///   - height: Its rows.
    package init(_ pose: BodyPose, width: Double, height: Double) {
        func world(_ indices: [Int]) -> SIMD3<Double> {
            let sum = indices.reduce(SIMD3<Double>.zero) { $0 + pose.world[$1] }
            return SIMD3(sum.x, -sum.y, -sum.z) / Double(indices.count)
        }
        func image(_ indices: [Int]) -> SIMD2<Double> {
            indices.reduce(.zero) { $0 + pose.landmarks[$1].position } / Double(indices.count)
        }
        let (eyes, mouth) = ([2, 5], [9, 10])
        let root = world(Joint.root.landmarks)
        var points = Joint.allCases.map { world($0.landmarks) - root }
        points[Joint.topHead.rawValue] += Self.headRise * (world(eyes) - world(mouth))
        let scale = Self.scale(of: points)
        positions = points.map { $0 * scale }
        var pixels = Joint.allCases.map { image($0.landmarks) }
        pixels[Joint.topHead.rawValue] += Self.headRise * (image(eyes) - image(mouth))
        imagePositions = pixels
        let weights = Joint.allCases.map { joint in
            joint.landmarks.map { PoseConfidence.probability(of: pose.landmarks[$0]) }.min() ?? 0
        }
        offset = Self.offset(
            of: positions, imagePositions: imagePositions, weights: weights, centre: SIMD2(width, height) / 2,
            focalLength: Self.focalLength * max(width, height))
    }

    /// Returns the factor that makes the bones from the head to the feet those of the reference height.
    private static func scale(of points: [SIMD3<Double>]) -> Double {
        func length(_ from: Joint, _ to: Joint) -> Double {
            let bone = points[from.rawValue] - points[to.rawValue]
            return (bone * bone).sum().squareRoot()
        }
        let trunk =
            length(.topHead, .centreHead) + length(.centreHead, .centreShoulder) + length(.centreShoulder, .spine)
            + length(.spine, .root)
        let legs =
            length(.leftHip, .leftKnee) + length(.leftKnee, .leftAnkle) + length(.rightHip, .rightKnee)
            + length(.rightKnee, .rightAnkle)
        let height = (trunk + legs / 2) / (1 - ankleHeight)
        return plausibleHeights.contains(height) ? referenceHeight / height : 1
    }

    /// Returns where the root lies from the camera, so that the joints are seen where they are in the image: the least
    /// squares of the equations f (x + tx) = -u (z + tz) and f (y + ty) = -v (z + tz).
    private static func offset(
        of points: [SIMD3<Double>], imagePositions: [SIMD2<Double>], weights: [Double], centre: SIMD2<Double>,
        focalLength f: Double
    ) -> SIMD3<Double> {
        var (sum, along, across) = (0.0, 0.0, SIMD2<Double>.zero)
        var (right, rightDepth) = (SIMD2<Double>.zero, 0.0)
        for (index, point) in points.enumerated() {
            let weight = weights[index]
            let (seen, flat) = (imagePositions[index] - centre, SIMD2(point.x, point.y))
            let u = SIMD2(seen.x, -seen.y)
            let value = -(u * point.z) - flat * f
            sum += weight
            across += weight * u
            along += weight * (u * u).sum()
            right += weight * value
            rightDepth += weight * (u * value).sum()
        }
        // Of the normal equations, those of tx and ty are solved for them; what remains is one for tz.
        let spread = along - (across * across).sum() / max(sum, .leastNormalMagnitude)
        let depth = (rightDepth - (across * right).sum() / max(sum, .leastNormalMagnitude)) / spread
        let limited = depth.isFinite ? min(-0.3, max(-1000, depth)) : -1000
        let flat = (right - across * limited) / (f * max(sum, .leastNormalMagnitude))
        guard flat.x.isFinite, flat.y.isFinite else { return SIMD3(0, 0, limited) }
        return SIMD3(flat.x, flat.y, limited)
    }
}
