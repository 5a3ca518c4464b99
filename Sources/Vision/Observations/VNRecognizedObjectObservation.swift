import VisionImage

/// A recognised object: its location and its classes.
open class VNRecognizedObjectObservation: VNDetectedObjectObservation, @unchecked Sendable {
    /// All classes of the model, the most likely first; their confidences sum to 1.
    ///
    /// The confidence of the observation is that of an object of any of these classes. Multiplied by the confidence of
    /// a label it is the model's score for that class.
    open private(set) var labels: [VNClassificationObservation]

    /// Creates an observation without labels, for subclasses and tests.
    public override init() {
        labels = []
        super.init()
    }

    /// - Parameter labels: The most likely first.
    init(
        labels: [VNClassificationObservation], confidence: VNConfidence, requestRevision: Int, boundingBox: CGRect,
        timeRange: CMTimeRange = .zero
    ) {
        self.labels = labels
        super.init(
            uuid: UUID(), confidence: confidence, requestRevision: requestRevision, boundingBox: boundingBox,
            timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let identifiers = archive.texts("labels.identifiers"),
            let uuids = archive.texts("labels.uuids")?.compactMap(UUID.init(uuidString:)),
            uuids.count == identifiers.count,
            let confidences = archive.numbers("labels.confidences", count: identifiers.count),
            let revision = archive.integer("requestRevision")
        else { return nil }
        let timeRange = archive.timeRange("timeRange") ?? .zero
        labels = identifiers.indices.map { index in
            VNClassificationObservation(
                identifier: identifiers[index], confidence: VNConfidence(confidences[index]), uuid: uuids[index],
                requestRevision: revision, timeRange: timeRange)
        }
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("labels.identifiers", labels.map(\.identifier))
        archive.set("labels.confidences", labels.map { Double($0.confidence) })
        archive.set("labels.uuids", labels.map(\.uuid.uuidString))
    }

    /// The base description, and the most likely class.
    open override var description: String {
        "\(super.description)\(labels.first.map { " “\($0.identifier)” \($0.confidence)" } ?? "")"
    }
}
