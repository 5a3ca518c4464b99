import VisionImage

/// The networks of `VNGeneratePersonSegmentationRequest`, on the crop of each person.
public let VNGeneratePersonInstanceMaskRequestRevision1: Int = 1

/// Computes a mask of each person, of up to four: the largest and surest.
///
/// The networks `selfie-segmentation` and `pose-landmark-full` have to be installed; without them a perform fails with
/// `dataUnavailable`.
open class VNGeneratePersonInstanceMaskRequest: VNImageBasedRequest, VNTypedRequest {
    /// The results: one, or none without people.
    public typealias ResultObservation = VNInstanceMaskObservation

    override class var revisionTable: RevisionTable { .personInstanceMask }

    override func makeCopy() -> VNRequest { VNGeneratePersonInstanceMaskRequest(completionHandler: completionHandler) }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob { context in
            let masks = try context.personInstances(in: region)
            guard !masks.instances.isEmpty else { return [] }
            return [
                try VNInstanceMaskObservation(
                    masks: masks, region: region, requestRevision: revision, timeRange: context.timeRange)
            ]
        }
    }
}
