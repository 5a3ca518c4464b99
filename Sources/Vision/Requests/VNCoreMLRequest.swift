import CoreML
import VisionImage

/// Core ML models.
public let VNCoreMLRequestRevision1: Int = 1

/// Runs a Core ML model on the image, converted to the size, colours and type of number that the model takes.
///
/// What `results` holds depends on the model:
/// 1. a classifier: a `VNClassificationObservation` for every label, highest first, with the confidences that the model gives;
/// 2. a detector: a `VNRecognizedObjectObservation` for every object, best first. Boxes are mapped back through the crop and
///    are normalised to the region of interest; they may reach beyond it;
/// 3. at least one image output: a `VNPixelBufferObservation` for each of them;
/// 4. any other model: a `VNCoreMLFeatureValueObservation` for every output.
///
/// `Documentation/ModelMetadata.md` says how labels, images and kinds of detectors are known.
public final class VNCoreMLRequest: VNImageBasedRequest {
    /// The model.
    public let model: VNCoreMLModel

    /// How the region of interest is brought to the model's size: `centerCrop` unless set otherwise; `scaleFill` for classifiers
    /// that Create ML made, which were trained on whole images, and whose features then serve other requests as well. The
    /// options that turn the image fail with `notImplemented`.
    public var imageCropAndScaleOption: VNImageCropAndScaleOption

    /// A request that runs the model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - completionHandler: Called when the request is done, before `perform` returns.
    public init(model: VNCoreMLModel, completionHandler: VNRequestCompletionHandler? = nil) {
        self.model = model
        imageCropAndScaleOption = model.model.isTrainedClassifier ? .scaleFill : .centerCrop
        super.init(completionHandler: completionHandler)
    }

    override class var revisionTable: RevisionTable { .coreML }

    override func makeCopy() -> VNRequest { VNCoreMLRequest(model: model, completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNCoreMLRequest)?.imageCropAndScaleOption = imageCropAndScaleOption
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let inputs = try model.inputs()
        let job = CoreMLJob(
            model: model.model, image: inputs.image, features: inputs.features, region: try checkedRegionOfInterest(),
            fit: try imageCropAndScaleOption.derivativeFit(), revision: revision)
        return RequestJob { context in try job.run(context) }
    }
}

extension VNImageCropAndScaleOption {
    /// As derivatives know it.
    func derivativeFit() throws -> Derivative.Fit {
        switch self {
        case .centerCrop: return .centerCrop
        case .scaleFit: return .fit
        case .scaleFill: return .fill
        case .scaleFitRotate90CCW, .scaleFillRotate90CCW:
            throw visionError(
                .notImplemented,
                "The options that turn the image are not implemented: use scaleFit or scaleFill, and an orientation.")
        }
    }
}
