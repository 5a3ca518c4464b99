import VisionImage

/// A result of a request: immutable, and safe to pass to other threads.
///
/// Two observations are equal if they have the same class and equal values, including the `uuid`.
public class VNObservation: NSObject, NSCopying, NSSecureCoding, VNRequestRevisionProviding, ArchivableValues,
    @unchecked Sendable
{
    // Unchecked because NSObject's subclasses cannot be checked: every stored property of this class and of its
    // subclasses is a `let` of a Sendable type, and none can be subclassed outside this module.

    /// Identifies the observation. A tracker's results have the uuid of the observation that started the track.
    public let uuid: UUID
    /// The confidence, 0…1; 1 if it has no meaning. Scores of Core ML models are not changed.
    public let confidence: VNConfidence
    /// The revision of the request that made it, or `VNRequestRevisionUnspecified`.
    public let requestRevision: Int
    /// The time of the observation in the video: that of the sample buffer, else `CMTimeRange.zero`.
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

    /// Returns the nearest confidence that an observation of this class can have.
    class func limited(_ confidence: VNConfidence) -> VNConfidence {
        confidence.isNaN ? 0 : min(1, max(0, confidence))
    }

    /// Returns the observation itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Archives

    /// Observations support secure coding.
    public class var supportsSecureCoding: Bool { true }

    /// Encodes the observation for `init(coder:)`.
    public func encode(with coder: NSCoder) { archive().write(to: coder) }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    /// Reads the values of an archive; nil if one is missing or invalid. Subclasses read their own, then call this.
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

    /// Adds the values of this class. Subclasses call this, then add their own.
    func encode(into archive: inout ObservationArchive) {
        archive.set("uuid", uuid)
        archive.set("confidence", Double(confidence))
        archive.set("requestRevision", requestRevision)
        if timeRange != .zero { archive.set("timeRange", timeRange) }
    }

    // MARK: - Equality

    /// Whether the other object is an observation of the same class with the same values.
    public override func isEqual(_ object: Any?) -> Bool { hasValues(of: object) }

    /// Equal observations have equal hashes.
    public override var hash: Int { uuid.hashValue }

    /// The class, the uuid and the confidence.
    public override var description: String {
        "<\(type(of: self))> \(uuid) requestRevision=\(requestRevision) confidence=\(confidence)"
    }

    /// All values by name.
    package final var archived: ObservationArchive { archive() }

    /// The name of the class in text formats.
    package final var archivedTypeName: String { "\(type(of: self))" }

    /// Creates an observation of the class with that name; nil if there is no such class or its values are missing.
    package static func unarchived(typeName: String, from archive: ObservationArchive) -> VNObservation? {
        let classes: [VNObservation.Type] = [
            VNDetectedObjectObservation.self, VNRectangleObservation.self, VNImageTranslationAlignmentObservation.self,
            VNImageHomographicAlignmentObservation.self, VNClassificationObservation.self,
            VNRecognizedObjectObservation.self, VNPixelBufferObservation.self,
            VNCoreMLFeatureValueObservation.self, VNFeaturePrintObservation.self, VNFaceObservation.self,
            VNBarcodeObservation.self, VNHorizonObservation.self, VNTextObservation.self,
            VNRecognizedTextObservation.self, VNSaliencyImageObservation.self, VNHumanObservation.self,
            VNHumanBodyPoseObservation.self, VNHumanHandPoseObservation.self, VNHumanBodyPose3DObservation.self,
            VNContoursObservation.self, VNTrajectoryObservation.self,
            VNInstanceMaskObservation.self,
        ]
        return classes.first { "\($0)" == typeName }?.init(archive: archive)
    }
}
