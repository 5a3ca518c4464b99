import VisionModels

/// Feature prints from EfficientNet-Lite0.
public let VNGenerateImageFeaturePrintRequestRevision1: Int = 1

/// Feature prints from EfficientNet-Lite2: more accurate, at about twice the time. Prints of the two cannot be
/// compared.
public let VNGenerateImageFeaturePrintRequestRevision2: Int = 2

/// Feature prints from EfficientNet-Lite2 that also tell images apart whose content is none of ImageNet's classes.
/// Prints of different revisions cannot be compared. No profile has it by default.
public let VNGenerateImageFeaturePrintRequestRevision3: Int = 3

/// Computes one `VNFeaturePrintObservation` of the image: a vector that is near those of images with similar content.
///
/// It is computed from the upper layers of the scene network, which runs once for this and other requests with the same
/// region and fit. The same image gives the same print in every version of this package, except for the last bits,
/// which depend on the processor. Without the network (`openvision models install`) the perform fails with
/// `dataUnavailable`.
///
/// Distances lie between 0 and 2 in every revision, as those of Apple's second revision do. A limit that was chosen for
/// Apple's first revision, usually 10 to 23, is ported by dividing it by 20, or by asking for
/// `scaledDistance(to:)` of VisionExtras instead of `computeDistance(_:to:)`. Look at the distances of your own photos
/// before you rely on one: the networks are others than Apple's.
open class VNGenerateImageFeaturePrintRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNFeaturePrintObservation

    /// How the region of interest is fitted to the network's square input: stretched by default. The options that
    /// rotate the image fail with `notImplemented`.
    open var imageCropAndScaleOption: VNImageCropAndScaleOption = .scaleFill

    override class var revisionTable: RevisionTable { .featurePrint }

    override func makeCopy() -> VNRequest { VNGenerateImageFeaturePrintRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNGenerateImageFeaturePrintRequest)?.imageCropAndScaleOption = imageCropAndScaleOption
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (revision, region) = (revision, try checkedRegionOfInterest())
        let fit = try imageCropAndScaleOption.derivativeFit()
        let maps = PrintVector.readsMaps(revision: revision)
        return RequestJob(readsBackboneMaps: maps) { context in
            let features = try context.backboneFeatures(
                for: revision, among: PrintVector.backbones, region: region, fit: fit, maps: maps)
            return [
                VNFeaturePrintObservation(
                    vector: try PrintVector(features, revision: revision), requestRevision: revision,
                    timeRange: context.timeRange)
            ]
        }
    }
}
