import VisionImage
import VisionModels

/// A head on the maps of EfficientNet-Lite2.
public let VNGenerateObjectnessBasedSaliencyImageRequestRevision1: Int = 1

/// The same as revision 1 here.
public let VNGenerateObjectnessBasedSaliencyImageRequestRevision2: Int = 2

/// Computes which parts of the image belong to objects in the foreground: a map, and boxes of up to three objects.
///
/// The map covers the region of interest. The network was trained on masks of the objects that stand out in
/// photographs. Revision 2 of classification, revisions 2 and 3 of feature prints and both saliencies share
/// one run of the backbone, if their region and fit are the same.
///
/// The network `efficientnet-lite2` has to be installed; without it a perform fails with `dataUnavailable`.
open class VNGenerateObjectnessBasedSaliencyImageRequest: VNImageBasedRequest, VNTypedRequest {
    /// The results: always one.
    public typealias ResultObservation = VNSaliencyImageObservation

    override class var revisionTable: RevisionTable { .objectnessSaliency }

    override func makeCopy() -> VNRequest {
        VNGenerateObjectnessBasedSaliencyImageRequest(completionHandler: completionHandler)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob(readsBackboneMaps: true) { context in
            [try context.saliency(.objectness, in: region, revision: revision)]
        }
    }
}
