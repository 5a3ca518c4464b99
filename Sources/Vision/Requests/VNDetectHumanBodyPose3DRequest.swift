import VisionImage
import VisionModels

/// Finds 17 joints of a person in space by networks of the model store.
public let VNDetectHumanBodyPose3DRequestRevision1: Int = 1

/// Finds the joints of the most prominent person in space: one observation, none without a person.
///
/// The most prominent person is the one with the largest product of the confidence and the size in the image. People
/// are those of `VNDetectHumanBodyPoseRequest`; their poses are found by networks of their own, which state depth.
///
/// The size of a person cannot be seen in a photo: the skeleton is scaled to a height of 1.8 metres.
open class VNDetectHumanBodyPose3DRequest: VNStatefulRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNHumanBodyPose3DObservation

    override class var revisionTable: RevisionTable { .detectHumanBodyPose3D }

    // MARK: - Joints

    /// Returns the names of the joints that the request finds.
    ///
    /// - Throws: `unsupportedRevision` where its revision does not exist.
    open func supportedJointNames() throws -> [VNHumanBodyPose3DObservation.JointName] {
        try checkRevision()
        return VNHumanBodyPose3DObservation.joints
    }

    /// Returns the names of the groups of joints that the request finds.
    ///
    /// - Throws: `unsupportedRevision` where its revision does not exist.
    open func supportedJointsGroupNames() throws -> [VNHumanBodyPose3DObservation.JointsGroupName] {
        try checkRevision()
        return VNHumanBodyPose3DObservation.groupNames
    }

    // MARK: - Performing

    /// Only the time of the last analysed frame: the poses that are followed belong to the handler.
    private let memory = RequestMemory(())

    override func makeCopy() -> VNRequest {
        VNDetectHumanBodyPose3DRequest(frameAnalysisSpacing: frameAnalysisSpacing, completionHandler: completionHandler)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, poses) = (try checkedRegionOfInterest(), revision, state.poses)
        let (memory, spacing) = (memory, frameAnalysisSpacing)
        return RequestJob(queue: SerialQueue(of: memory)) { context in
            try memory.analyse(at: context.time, spacing: spacing) { _ in
                try Self.observations(in: region, revision: revision, following: poses, context)
            } ?? []
        }
    }

    /// Returns the observation of the most prominent person; none without people.
    private static func observations(
        in region: NormalizedRegion, revision: Int, following memory: PoseMemory<FoundPose>?, _ context: PerformContext
    ) throws -> [VNHumanBodyPose3DObservation] {
        let size = try context.image.uprightImageSize()
        let poses = try context.poses(by: PoseFinder.self, in: region, following: memory)
        func prominence(_ found: FoundPose) -> Double { found.score * found.pose.crop.extent.x }
        guard let person = poses.max(by: { prominence($0) < prominence($1) }) else { return [] }
        let skeleton = BodySkeleton(person.pose, width: Double(size.width), height: Double(size.height))
        return [
            VNHumanBodyPose3DObservation(
                positions: skeleton.positions.map { SIMD3<Float>($0) },
                imagePoints: skeleton.imagePositions.map {
                    region.normalizedPoint(x: $0.x, y: $0.y, in: size)
                }, camera: SIMD3<Float>(-skeleton.offset), bodyHeight: Float(BodySkeleton.referenceHeight),
                confidence: VNConfidence(person.score), requestRevision: revision,
                timeRange: context.timeRange)
        ]
    }
}
