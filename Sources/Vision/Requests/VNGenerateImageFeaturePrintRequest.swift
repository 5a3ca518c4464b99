import VisionImage
import VisionModels

/// Feature prints from EfficientNet-Lite0.
public let VNGenerateImageFeaturePrintRequestRevision1: Int = 1

/// Feature prints from EfficientNet-Lite2: more exact, and about twice the time. Prints of the two cannot be compared.
public let VNGenerateImageFeaturePrintRequestRevision2: Int = 2

/// Makes one `VNFeaturePrintObservation` of the image: a vector that lies near those of images with the same content.
///
/// It is made of the upper layers of the scene network, which runs once for this and other requests that see the same part
/// in the same way. The same image gives the same print in every version of this package, but for the last bits, which
/// depend on the processor. Without the network (`openvision models install`) the perform fails with `dataUnavailable`.
public final class VNGenerateImageFeaturePrintRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of what is found.
    public typealias ResultObservation = VNFeaturePrintObservation

    /// How the region of interest is brought to the network's square: stretched to it by default. The options that turn
    /// the image fail with `notImplemented`.
    public var imageCropAndScaleOption: VNImageCropAndScaleOption = .scaleFill

    override class var revisionTable: RevisionTable { .featurePrint }

    override func makeCopy() -> VNRequest { VNGenerateImageFeaturePrintRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNGenerateImageFeaturePrintRequest)?.imageCropAndScaleOption = imageCropAndScaleOption
    }

    override func makeWork(in state: HandlerState) throws -> RequestWork {
        try checkRevision()
        let (revision, region) = (revision, try checkedRegionOfInterest())
        let fit = try imageCropAndScaleOption.derivativeFit()
        return RequestWork { context in
            let features = try context.backboneFeatures(
                for: revision, among: PrintVector.backbones, region: region, fit: fit)
            return [
                VNFeaturePrintObservation(
                    vector: try PrintVector(features, revision: revision), requestRevision: revision,
                    timeRange: context.timeRange)
            ]
        }
    }
}
