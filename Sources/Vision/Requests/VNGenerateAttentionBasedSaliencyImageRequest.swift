import VisionImage
import VisionModels

/// A head on the maps of EfficientNet-Lite2.
public let VNGenerateAttentionBasedSaliencyImageRequestRevision1: Int = 1

/// The same as revision 1 here.
public let VNGenerateAttentionBasedSaliencyImageRequestRevision2: Int = 2

/// Computes where people look first in the image: a map and the box of the most salient part.
///
/// The map covers the region of interest. The network was trained on the eye fixations of people who viewed
/// photographs freely; it has a preference for the centre, as people have. Revision 2 of classification,
/// revisions 2 and 3 of feature prints, and both saliencies share one run of the backbone, if their region and fit are
/// the same.
///
/// The network `efficientnet-lite2` has to be installed; without it a perform fails with `dataUnavailable`.
open class VNGenerateAttentionBasedSaliencyImageRequest: VNImageBasedRequest, VNTypedRequest {
    /// The results: always one.
    public typealias ResultObservation = VNSaliencyImageObservation

    override class var revisionTable: RevisionTable { .attentionSaliency }

    override func makeCopy() -> VNRequest {
        VNGenerateAttentionBasedSaliencyImageRequest(completionHandler: completionHandler)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob(readsBackboneMaps: true) { context in
            [try context.saliency(.attention, in: region, revision: revision)]
        }
    }
}
