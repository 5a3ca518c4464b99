import VisionImage
import VisionModels

/// Finds 19 joints of each person by networks of the model store.
public let VNDetectHumanBodyPoseRequestRevision1: Int = 1

/// Finds the joints of people: an observation for each person, the most confident first, none if there are none.
///
/// People are found as by `VNDetectHumanRectanglesRequest`; the network `movenet-multipose` sees each of them enlarged,
/// upright and, where the body is not clear that way, turned by quarters. Where no body is clear, the whole image is
/// searched once more by the detector of faces and hips `pose-detection` and the network `pose-landmark-full`. At most
/// 20 people are processed. The perform fails with `dataUnavailable` if one of these networks is not installed.
///
/// A `VNSequenceRequestHandler` follows the poses of the frame before, at one run of the network for each person, and
/// searches people in every fourth frame, where there are more than four, and when one is not seen as well as before.
///
/// The confidence of a joint is the probability that it lies within a fifth of the torso of where it is stated, fitted
/// on photos; that of an observation is the score of the person times the mean confidence of the joints in the image.
/// Locations are normalised to the region of interest.
open class VNDetectHumanBodyPoseRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNHumanBodyPoseObservation

    override class var revisionTable: RevisionTable { .detectHumanBodyPose }

    // MARK: - Joints

    /// Returns the names of the joints that a revision finds.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open class func supportedJointNames(
        forRevision revision: Int
    ) throws -> [VNHumanBodyPoseObservation.JointName] {
        if let error = revisionTable.error(forRevision: revision) { throw error }
        return VNHumanBodyPoseObservation.joints.map(\.name)
    }

    /// Returns the names of the groups of joints that a revision finds.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open class func supportedJointsGroupNames(
        forRevision revision: Int
    ) throws -> [VNHumanBodyPoseObservation.JointsGroupName] {
        if let error = revisionTable.error(forRevision: revision) { throw error }
        return VNHumanBodyPoseObservation.groupNames
    }

    /// Returns the names of the joints that the request finds.
    ///
    /// - Throws: `unsupportedRevision` where its revision does not exist.
    open func supportedJointNames() throws -> [VNHumanBodyPoseObservation.JointName] {
        try Self.supportedJointNames(forRevision: revision)
    }

    /// Returns the names of the groups of joints that the request finds.
    ///
    /// - Throws: `unsupportedRevision` where its revision does not exist.
    open func supportedJointsGroupNames() throws -> [VNHumanBodyPoseObservation.JointsGroupName] {
        try Self.supportedJointsGroupNames(forRevision: revision)
    }

    // MARK: - Performing

    override func makeCopy() -> VNRequest { VNDetectHumanBodyPoseRequest(completionHandler: completionHandler) }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, memory) = (try checkedRegionOfInterest(), revision, state.keypoints)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            return try context.poses(by: KeypointFinder.self, in: region, following: memory).map { found in
                VNHumanBodyPoseObservation(
                    found, region: region, size: size, revision: revision, timeRange: context.timeRange)
            }
        }
    }
}

extension VNHumanBodyPoseObservation {
    /// - Parameters:
    ///   - found: In pixels of the image.
    ///   - size: The size of the image.
    convenience init(
        _ found: FoundKeypoints, region: NormalizedRegion, size: ImageSize, revision: Int, timeRange: CMTimeRange
    ) {
        let pixels = region.pixels(in: size)
        let points = Self.joints.map { _, joint in
            let position = found.pose.position(joint)
            let point = region.normalizedPoint(x: position.x, y: position.y, in: size)
            return (
                x: Double(point.x), y: Double(point.y), confidence: found.pose.confidence(joint, within: pixels)
            )
        }
        self.init(
            points: points, confidence: VNConfidence(found.score), requestRevision: revision, timeRange: timeRange)
    }
}
