import VisionImage

/// What a request found: immutable, and safe to hand to other threads.
///
/// Two observations are equal when they are of one class and agree in everything, the `uuid` included.
public class VNObservation: NSObject, NSCopying, NSSecureCoding, VNRequestRevisionProviding, @unchecked Sendable {
    // Unchecked because NSObject's subclasses cannot be checked: every stored property of this class and of its
    // subclasses is a `let` of a Sendable type, and none can be subclassed outside this module.

    /// Names the step that made the observation. A tracker's results carry the uuid of the observation that started it.
    public let uuid: UUID
    /// How sure the algorithm is, 0…1; 1 where that has no meaning. Scores of Core ML models stay as the model gives them.
    public let confidence: VNConfidence
    /// The revision of the request that made it, or `VNRequestRevisionUnspecified`.
    public let requestRevision: Int
    /// When in the video the observation was made: the time of the sample buffer, else `CMTimeRange.zero`.
    public let timeRange: CMTimeRange

    init(
        uuid: UUID = UUID(), confidence: VNConfidence = 1, requestRevision: Int, timeRange: CMTimeRange = .zero
    ) {
        self.uuid = uuid
        self.confidence = Self.limited(confidence)
        self.requestRevision = requestRevision
        self.timeRange = timeRange
        super.init()
    }

    /// The confidence that an observation of this class can have which is nearest to this one.
    class func limited(_ confidence: VNConfidence) -> VNConfidence {
        confidence.isNaN ? 0 : min(1, max(0, confidence))
    }

    /// The observation itself: it cannot change, so a copy would be the same.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Archives

    /// Observations can be read from archives that are not trusted.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the observation; what `init(coder:)` reads.
    public func encode(with coder: NSCoder) {
        var values = ObservationArchive()
        encode(into: &values)
        values.write(to: coder)
    }

    /// Reads an observation from an archive; nil when the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    /// The values of an archive; nil when one is missing or makes no sense. Subclasses read theirs, then call this.
    required init?(archive: ObservationArchive) {
        guard let uuid = archive.uuid("uuid"), let confidence = archive.number("confidence"),
            Self.limited(VNConfidence(confidence)) == VNConfidence(confidence),
            let revision = archive.integer("requestRevision")
        else { return nil }
        self.uuid = uuid
        self.confidence = VNConfidence(confidence)
        requestRevision = revision
        timeRange = archive.timeRange("timeRange") ?? .zero
        super.init()
    }

    /// Adds the values of this class. Subclasses call this, then add theirs.
    func encode(into archive: inout ObservationArchive) {
        archive.set("uuid", uuid)
        archive.set("confidence", Double(confidence))
        archive.set("requestRevision", requestRevision)
        if timeRange != .zero { archive.set("timeRange", timeRange) }
    }

    // MARK: - Equality

    /// Whether the other object is an observation of the same class with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNObservation, type(of: other) == type(of: self) else { return false }
        return other === self || other.archived == archived
    }

    /// Equal observations have equal hashes.
    public override var hash: Int { uuid.hashValue }

    /// The class, the uuid and the confidence.
    public override var description: String {
        "<\(type(of: self))> \(uuid) requestRevision=\(requestRevision) confidence=\(confidence)"
    }

    /// All values, by name.
    package final var archived: ObservationArchive {
        var values = ObservationArchive()
        encode(into: &values)
        return values
    }

    /// The name of the class as it stands in text formats.
    package final var archivedTypeName: String { "\(type(of: self))" }

    /// An observation of the class of that name; nil when there is no such class or the values are not its.
    package static func unarchived(typeName: String, from archive: ObservationArchive) -> VNObservation? {
        let classes: [VNObservation.Type] = [
            VNDetectedObjectObservation.self, VNRectangleObservation.self, VNImageTranslationAlignmentObservation.self,
            VNImageHomographicAlignmentObservation.self, VNClassificationObservation.self,
            VNRecognizedObjectObservation.self, VNPixelBufferObservation.self,
            VNCoreMLFeatureValueObservation.self, VNFeaturePrintObservation.self, VNFaceObservation.self,
            VNBarcodeObservation.self, VNHorizonObservation.self, VNTextObservation.self,
        ]
        return classes.first { "\($0)" == typeName }?.init(archive: archive)
    }
}
