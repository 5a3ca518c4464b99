import VisionImage

/// A result of a request: immutable, and safe to pass to other threads.
///
/// Tests may subclass it and override what a request would find.
///
/// Two observations are equal if they have the same class and equal values, including the `uuid`.
open class VNObservation: NSObject, NSCopying, NSSecureCoding, VNRequestRevisionProviding, ArchivableValues,
    @unchecked Sendable
{
    // Unchecked because NSObject's subclasses cannot be checked: every stored property of this class and of its
    // subclasses here is of a Sendable type and set by initialisers only. They are variables because subclasses of
    // other modules may override them; those are responsible for what they add.

    /// Identifies the observation. A tracker's results have the uuid of the observation that started the track.
    open private(set) var uuid: UUID
    /// The confidence, 0…1; 1 if it has no meaning. Scores of Core ML models are not changed.
    open private(set) var confidence: VNConfidence
    /// The revision of the request that made it, or `VNRequestRevisionUnspecified`.
    open private(set) var requestRevision: Int
    /// The time of the observation in the video: that of the sample buffer, else `CMTimeRange.zero`.
    open private(set) var timeRange: CMTimeRange

    /// Creates an observation without a revision, with a new uuid and confidence 1, for subclasses and tests.
    public override init() {
        uuid = UUID()
        confidence = 1
        requestRevision = VNRequestRevisionUnspecified
        timeRange = .zero
        super.init()
    }

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
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Archives

    /// Observations support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Encodes the observation for `init(coder:)`.
    open func encode(with coder: NSCoder) { archive().write(to: coder) }

    /// Reads the values of an archive; nil if one is missing or invalid. Subclasses read their own, then call this.
    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    ///
    /// Subclasses read their own values, then call this.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let uuid = archive.uuid("uuid"),
            let confidence = archive.number("confidence"),
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
    open override func isEqual(_ object: Any?) -> Bool { hasValues(of: object) }

    /// Equal observations have equal hashes.
    open override var hash: Int { uuid.hashValue }

    /// The class, the uuid and the confidence.
    open override var description: String {
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
