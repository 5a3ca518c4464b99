import VisionImage
import VisionModels

/// Finds 21 joints of each hand by networks of the model store.
public let VNDetectHumanHandPoseRequestRevision1: Int = 1

/// Finds the joints of hands: an observation for each hand, the most certain palm first, none if there are none.
///
/// The network `palm-detection-full` finds palms in the region of interest, from about a tenth of its longer side, in
/// any direction; each hand is then seen upright and enlarged by the network `hand-landmark-full`. The perform fails
/// with `dataUnavailable` if one of them is not installed.
///
/// The confidence of an observation is the probability that there is a hand; joints have the same one, or less where
/// they lie outside the region. Locations are normalised to the region of interest.
open class VNDetectHumanHandPoseRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNHumanHandPoseObservation

    /// The largest number of hands to find, at least 1; 2 by default. The time of the request grows with the number of
    /// hands that are found.
    open var maximumHandCount: Int = 2

    /// No image is searched for more hands than this, whatever the maximum is.
    private static let handLimit = 64

    override class var revisionTable: RevisionTable { .detectHumanHandPose }

    // MARK: - Joints

    /// Returns the names of the joints that a revision finds.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open class func supportedJointNames(
        forRevision revision: Int
    ) throws -> [VNHumanHandPoseObservation.JointName] {
        if let error = revisionTable.error(forRevision: revision) { throw error }
        return VNHumanHandPoseObservation.joints
    }

    /// Returns the names of the groups of joints that a revision finds.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open class func supportedJointsGroupNames(
        forRevision revision: Int
    ) throws -> [VNHumanHandPoseObservation.JointsGroupName] {
        if let error = revisionTable.error(forRevision: revision) { throw error }
        return VNHumanHandPoseObservation.groupNames
    }

    /// Returns the names of the joints that the request finds.
    ///
    /// - Throws: `unsupportedRevision` where its revision does not exist.
    open func supportedJointNames() throws -> [VNHumanHandPoseObservation.JointName] {
        try Self.supportedJointNames(forRevision: revision)
    }

    /// Returns the names of the groups of joints that the request finds.
    ///
    /// - Throws: `unsupportedRevision` where its revision does not exist.
    open func supportedJointsGroupNames() throws -> [VNHumanHandPoseObservation.JointsGroupName] {
        try Self.supportedJointsGroupNames(forRevision: revision)
    }

    // MARK: - Performing

    override func makeCopy() -> VNRequest { VNDetectHumanHandPoseRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNDetectHumanHandPoseRequest)?.maximumHandCount = maximumHandCount
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        guard maximumHandCount >= 1 else {
            throw visionError(
                .invalidArgument, "maximumHandCount is \(maximumHandCount); it must be at least 1.")
        }
        let count = min(maximumHandCount, Self.handLimit)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            let pixels = region.pixels(in: size)
            return try context.hands(in: pixels, maximumCount: count).map { hand in
                let points = hand.joints.indices.map { index in
                    let joint = hand.joints[index]
                    let point = region.normalizedPoint(x: joint.x, y: joint.y, in: size)
                    return (
                        x: Double(point.x), y: Double(point.y), confidence: hand.confidence(index, within: pixels)
                    )
                }
                return VNHumanHandPoseObservation(
                    points: points, chirality: hand.rightHand >= 0.5 ? .right : .left,
                    confidence: VNConfidence(hand.presence), requestRevision: revision,
                    timeRange: context.timeRange)
            }
        }
    }
}
