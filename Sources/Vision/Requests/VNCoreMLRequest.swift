import CoreML

/// The first revision.
public let VNCoreMLRequestRevision1: Int = 1

/// Runs a Core ML model on the image, converted to the size, colours and number type that the model needs.
///
/// The type of `results` depends on the model:
/// 1. a classifier: a `VNClassificationObservation` for every label, highest first, with the model's confidences;
/// 2. a detector: a `VNRecognizedObjectObservation` for every object, best first. Boxes are mapped back through the
/// crop and are normalised to the region of interest; they may reach beyond it;
/// 3. at least one image output: a `VNPixelBufferObservation` for each of them;
/// 4. any other model: a `VNCoreMLFeatureValueObservation` for every output.
///
/// `Documentation/ModelMetadata.md` describes how labels, images and kinds of detectors are recognised.
open class VNCoreMLRequest: VNImageBasedRequest {
    /// The model.
    public let model: VNCoreMLModel

    /// How the region of interest is fitted to the model's input: `centerCrop` by default; `scaleFill` for classifiers
    /// that Create ML made, which were trained on whole images, and whose features are then shared with other requests.
    /// The options that rotate the image fail with `notImplemented`.
    open var imageCropAndScaleOption: VNImageCropAndScaleOption

    /// Creates a request that runs the model.
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
    /// The corresponding fit of a derivative.
    func derivativeFit() throws -> Derivative.Fit {
        switch self {
        case .centerCrop: return .centerCrop
        case .scaleFit: return .fit
        case .scaleFill: return .fill
        case .scaleFitRotate90CCW, .scaleFillRotate90CCW:
            throw visionError(
                .notImplemented,
                "The options that rotate the image are not implemented: use scaleFit or scaleFill, and an orientation.")
        }
    }
}
