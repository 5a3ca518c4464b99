import VisionModels

/// EfficientNet-Lite0, with an input of 224 × 224 pixels.
public let VNClassifyImageRequestRevision1: Int = 1

/// EfficientNet-Lite2, with an input of 260 × 260 pixels: twice the time, somewhat more accurate.
public let VNClassifyImageRequestRevision2: Int = 2

/// EfficientNet-Lite2 at nearly the aspect ratio of the region of interest, with about as many pixels as revision 2:
/// what stands beside something else in a wide or tall image keeps its shape. It has a run of the network of its own,
/// which it does not share with feature prints and saliency. No profile has it by default.
public let VNClassifyImageRequestRevision3: Int = 3

/// EfficientNet-Lite2 in 8 bits, with the input of revision 2: a third of the network's time, nearly the same
/// confidences. It has a run of the network of its own, which it does not share with feature prints and saliency. No
/// profile has it by default.
public let VNClassifyImageRequestRevision4: Int = 4

/// Classifies the content of the image by the classes of a taxonomy.
///
/// There is one observation for every class of the taxonomy, highest confidence first. Confidences are independent of
/// each other: an image may show several things, and a dog is also a mammal, so they do not sum to 1. Whether a class
/// counts as present is decided for each class separately: `hasMinimumPrecision(_:forRecall:)` and
/// `hasMinimumRecall(_:forPrecision:)` of the observations do it by the class's own curve, if there is one.
///
/// The network sees the whole region of interest: in revision 3 at nearly its own aspect ratio (up to 11 : 4; longer
/// regions are stretched to that), in the others stretched to a square. Requests of one revision about the same region
/// share a run of the network, also in later performs of an image handler; revisions 1 and 2 share it with
/// `VNGenerateImageFeaturePrintRequest` as well.
///
/// The network has to be installed (`openvision models install`); without it the perform fails with `dataUnavailable`.
open class VNClassifyImageRequest: VNImageBasedRequest, VNTypedRequest {
    /// The results: an observation for every class.
    public typealias ResultObservation = VNClassificationObservation

    /// How revisions 1, 2 and 4 fit the region to the network's square input; set by `ClassifyImageRequest`.
    var cropAndScaleOption: VNImageCropAndScaleOption = .scaleFill

    override class var revisionTable: RevisionTable { .classifyImage }

    override func makeCopy() -> VNRequest { VNClassifyImageRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNClassifyImageRequest)?.cropAndScaleOption = cropAndScaleOption
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        let fit = try cropAndScaleOption.derivativeFit()
        return RequestJob { context in
            let features =
                try SceneScoring.keepsAspect(revision: revision)
                ? context.backboneFeatures(for: revision, among: SceneScoring.backbones, atOwnAspectOf: region)
                : context.backboneFeatures(
                    for: revision, among: SceneScoring.backbones, SceneScoring.arithmetic(revision: revision),
                    region: region, fit: fit)
            return try SceneClassification(revision: revision)
                .observations(of: features, timeRange: context.timeRange)
        }
    }

    // MARK: - The taxonomy

    /// Returns all classes of a revision, in the alphabetical order of their identifiers, with confidence 0.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open class func knownClassifications(forRevision requestRevision: Int) throws -> [VNClassificationObservation] {
        if let error = revisionTable.error(forRevision: requestRevision) { throw error }
        return SceneClassification(revision: requestRevision).known()
    }

    /// Returns the identifiers of all classes of the request's revision, in alphabetical order.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open func supportedIdentifiers() throws -> [String] {
        try checkRevision()
        return SceneTaxonomy.shared.classes.map(\.identifier)
    }
}
