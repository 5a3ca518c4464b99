import VisionImage

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

    /// Whether it is known how precision and recall of the class go with the confidence. It is for no model yet.
    public var hasPrecisionRecallCurve: Bool { false }

    /// Whether the class has at least this recall at the point of its curve that has this precision, and the confidence
    /// reaches that point. False where there is no curve.
    public func hasMinimumRecall(_ minimumRecall: Float, forPrecision precision: Float) -> Bool { false }

    /// Whether the class has at least this precision at the point of its curve that has this recall, and the confidence
    /// reaches that point. False where there is no curve.
    public func hasMinimumPrecision(_ minimumPrecision: Float, forRecall recall: Float) -> Bool { false }

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
