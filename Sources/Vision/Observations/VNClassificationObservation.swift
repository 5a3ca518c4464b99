import VisionImage
import VisionModels

/// One class, and how sure the algorithm is of it.
///
/// The confidence of what a Core ML model says is as the model gives it, also outside 0…1.
public class VNClassificationObservation: VNObservation, @unchecked Sendable {
    /// The name of the class: a label of the model, not a text for people.
    public let identifier: String

    /// Whether the class is one of the scene taxonomy, where `identifier` and `requestRevision` name a curve: models of users
    /// may have labels of the same names.
    private let isOfSceneTaxonomy: Bool
    private static let sceneTaxonomy = "scene"

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
        guard isOfSceneTaxonomy, let place = SceneTaxonomy.shared.index(of: identifier) else { return nil }
        return SceneCurves.curve(ofClass: place, revision: requestRevision)
    }

    /// Whether it is known, from labelled photos, how precision and recall of the class go with the confidence.
    ///
    /// True for most classes of `VNClassifyImageRequest`, never for what a Core ML model says.
    public var hasPrecisionRecallCurve: Bool { curve != nil }

    /// Whether the class reaches at least this recall where its precision is as given, and this image belongs to what is
    /// found there: a filter for few mistakes.
    ///
    /// The point of the class's curve with this precision, and the highest recall at it, is looked up. Where its recall is
    /// less than asked for the answer is false whatever the confidence; otherwise it is true when the confidence reaches the
    /// threshold of that point. False where there is no curve or a number is no share.
    ///
    /// - Parameters:
    ///   - minimumRecall: The least share of all images of the class that is to be found, 0…1.
    ///   - precision: The share of what is found that is of the class, 0…1.
    public func hasMinimumRecall(_ minimumRecall: Float, forPrecision precision: Float) -> Bool {
        guard let point = curve?.operatingPoint(forPrecision: precision) else { return false }
        return point.recall >= minimumRecall && confidence >= point.threshold
    }

    /// Whether the class reaches at least this precision where its recall is as given, and this image belongs to what is
    /// found there: a filter that misses little.
    ///
    /// The point of the class's curve with this recall, and the highest threshold at it, is looked up. Where its precision is
    /// less than asked for the answer is false whatever the confidence; otherwise it is true when the confidence reaches the
    /// threshold of that point. False where there is no curve or a number is no share.
    ///
    /// - Parameters:
    ///   - minimumPrecision: The least share of what is found that is to be of the class, 0…1.
    ///   - recall: The share of all images of the class that is found, 0…1.
    public func hasMinimumPrecision(_ minimumPrecision: Float, forRecall recall: Float) -> Bool {
        guard let point = curve?.operatingPoint(forRecall: recall) else { return false }
        return point.precision >= minimumPrecision && confidence >= point.threshold
    }

    // MARK: - Archives

    /// Reads an observation from an archive; nil when the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let identifier = archive.text("identifier") else { return nil }
        self.identifier = identifier
        isOfSceneTaxonomy = archive.text("taxonomy") == Self.sceneTaxonomy
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("identifier", identifier)
        if isOfSceneTaxonomy { archive.set("taxonomy", Self.sceneTaxonomy) }
    }

    /// As of every observation, and the class.
    public override var description: String { "\(super.description) “\(identifier)”" }
}
