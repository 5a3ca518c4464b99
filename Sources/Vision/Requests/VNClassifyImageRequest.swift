import VisionImage
import VisionModels

/// EfficientNet-Lite0, seeing 224 × 224 pixels.
public let VNClassifyImageRequestRevision1: Int = 1

/// EfficientNet-Lite2, seeing 260 × 260 pixels: twice the time, somewhat better.
public let VNClassifyImageRequestRevision2: Int = 2

/// Says what can be seen in the image, in the words of a taxonomy of things.
///
/// There is one observation for every class of the taxonomy, highest confidence first. Confidences are independent of each
/// other: an image may show several things, and a dog is also a mammal, so they do not sum to 1. Whether a class counts as
/// present is decided for each class on its own: `hasMinimumPrecision(_:forRecall:)` and
/// `hasMinimumRecall(_:forPrecision:)` of the observations do it by the class's own curve, where there is one.
///
/// The whole region of interest is seen, stretched to a square. Requests of one revision about the same region share a run
/// of the network with `VNGenerateImageFeaturePrintRequest`, also in later performs of an image handler.
///
/// The network has to be installed (`openvision models install`); without it the perform fails with `dataUnavailable`.
public final class VNClassifyImageRequest: VNImageBasedRequest, VNTypedRequest {
    /// What is found: an observation for every class.
    public typealias ResultObservation = VNClassificationObservation

    override class var revisionTable: RevisionTable { .classifyImage }

    override func makeCopy() -> VNRequest { VNClassifyImageRequest(completionHandler: completionHandler) }

    override func makeWork(in state: HandlerState) throws -> RequestWork {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestWork { context in
            let features = try context.backboneFeatures(
                for: revision, among: SceneScoring.backbones, region: region, fit: .fill)
            return try SceneClassification(revision: revision)
                .observations(of: features, timeRange: context.timeRange)
        }
    }

    // MARK: - The taxonomy

    /// All classes of a revision, in the alphabetical order of their identifiers, with confidence 0.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    public class func knownClassifications(forRevision requestRevision: Int) throws -> [VNClassificationObservation] {
        if let error = revisionTable.error(forRevision: requestRevision) { throw error }
        return SceneClassification(revision: requestRevision).known()
    }

    /// The identifiers of all classes of the request's revision, in alphabetical order.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    public func supportedIdentifiers() throws -> [String] {
        try checkRevision()
        return SceneTaxonomy.shared.classes.map(\.identifier)
    }
}
