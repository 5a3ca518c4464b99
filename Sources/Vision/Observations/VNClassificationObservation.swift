import VisionImage
import VisionModels

/// A class with its confidence.
///
/// The confidence of a Core ML model's output is unchanged, even outside 0…1.
open class VNClassificationObservation: VNObservation, @unchecked Sendable {
    /// The name of the class: a label of the model, not a localised text.
    open private(set) var identifier: String

    /// Whether the class is one of the scene taxonomy, for which `identifier` and `requestRevision` select a curve:
    /// models of users may have labels of the same names.
    private let isOfSceneTaxonomy: Bool
    private static let sceneTaxonomy = "scene"

    /// Creates an observation of an empty label, for subclasses and tests.
    public override init() {
        identifier = ""
        isOfSceneTaxonomy = false
        super.init()
    }

    init(
        identifier: String, confidence: VNConfidence, uuid: UUID = UUID(), requestRevision: Int,
        timeRange: CMTimeRange = .zero, isOfSceneTaxonomy: Bool = false
    ) {
        self.identifier = identifier
        self.isOfSceneTaxonomy = isOfSceneTaxonomy
        super.init(uuid: uuid, confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    override class func limited(_ confidence: VNConfidence) -> VNConfidence {
        let largest = VNConfidence.greatestFiniteMagnitude
        return confidence.isNaN ? 0 : min(largest, max(-largest, confidence))
    }

    // MARK: - Precision and recall

    private var curve: PrecisionRecallCurve? {
        guard isOfSceneTaxonomy, let index = SceneTaxonomy.shared.index(of: identifier) else { return nil }
        return SceneCurves.curve(ofClass: index, revision: requestRevision)
    }

    /// Whether the relation of precision, recall and confidence is known for the class, from labelled photos.
    ///
    /// True for most classes of `VNClassifyImageRequest`, never for a Core ML model.
    open var hasPrecisionRecallCurve: Bool { curve != nil }

    /// Returns whether the class reaches at least this recall at the given precision, and the confidence of this image
    /// reaches the corresponding threshold: a filter for few false positives.
    ///
    /// The method finds the point of the class's curve with this precision and, among several, the highest recall. If
    /// that recall is below the minimum, the result is false whatever the confidence. Otherwise it is true if the
    /// confidence reaches the threshold of that point. The result is false if there is no curve or an argument is not
    /// between 0 and 1.
    ///
    /// - Parameters:
    ///   - minimumRecall: The least share of all images of the class that must be found, 0…1.
    ///   - precision: The share of the found images that belong to the class, 0…1.
    open func hasMinimumRecall(_ minimumRecall: Float, forPrecision precision: Float) -> Bool {
        guard let point = curve?.operatingPoint(forPrecision: precision) else { return false }
        return point.recall >= minimumRecall && confidence >= point.threshold
    }

    /// Returns whether the class reaches at least this precision at the given recall, and the confidence of this image
    /// reaches the corresponding threshold: a filter for few false negatives.
    ///
    /// The method finds the point of the class's curve with this recall and, among several, the highest threshold. If
    /// its precision is below the minimum, the result is false whatever the confidence. Otherwise it is true if the
    /// confidence reaches the threshold of that point. The result is false if there is no curve or an argument is not
    /// between 0 and 1.
    ///
    /// - Parameters:
    ///   - minimumPrecision: The least share of the found images that must belong to the class, 0…1.
    ///   - recall: The share of all images of the class that is found, 0…1.
    open func hasMinimumPrecision(_ minimumPrecision: Float, forRecall recall: Float) -> Bool {
        guard let point = curve?.operatingPoint(forRecall: recall) else { return false }
        return point.precision >= minimumPrecision && confidence >= point.threshold
    }

    // MARK: - Archives

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let identifier = archive.text("identifier") else {
            return nil
        }
        self.identifier = identifier
        isOfSceneTaxonomy = archive.text("taxonomy") == Self.sceneTaxonomy
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("identifier", identifier)
        if isOfSceneTaxonomy { archive.set("taxonomy", Self.sceneTaxonomy) }
    }

    /// The base description, and the class.
    open override var description: String { "\(super.description) “\(identifier)”" }
}
