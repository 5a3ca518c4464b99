import VisionImage

/// The map of `VNGenerateObjectnessBasedSaliencyImageRequest`, divided into objects, and masks of people.
public let VNGenerateForegroundInstanceMaskRequestRevision1: Int = 1

/// Computes a mask of each object in the foreground, of whatever kind.
///
/// Parts of the map of objectness that are clearly apart are objects; each of the people in the foreground is one. The
/// networks `efficientnet-lite2` and, for images with people, `selfie-segmentation` and `pose-landmark-full` have to be
/// installed; without them a perform fails with `dataUnavailable`.
open class VNGenerateForegroundInstanceMaskRequest: VNImageBasedRequest, VNTypedRequest {
    /// The results: one, or none if nothing stands out.
    public typealias ResultObservation = VNInstanceMaskObservation

    override class var revisionTable: RevisionTable { .foregroundInstanceMask }

    override func makeCopy() -> VNRequest {
        VNGenerateForegroundInstanceMaskRequest(completionHandler: completionHandler)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob(readsBackboneMaps: true) { context in
            let masks = try context.foregroundInstances(in: region)
            guard !masks.instances.isEmpty else { return [] }
            return [
                try VNInstanceMaskObservation(
                    masks: masks, region: region, requestRevision: revision, timeRange: context.timeRange)
            ]
        }
    }
}
