/// The landmarks of a face: an abstract base class.
open class VNFaceLandmarks: NSObject, NSCopying, NSSecureCoding, VNRequestRevisionProviding, ArchivableValues,
    @unchecked Sendable
{
    // Unchecked for the same reason as observations: every stored property is a `let` of a Sendable type.

    /// The confidence of all landmarks together, 0…1: the probability of a face, times the share of points whose
    /// expected error is less than a tenth of the distance of the outer corners of the eyes.
    open private(set) var confidence: VNConfidence
    /// The revision of the request that found them.
    open private(set) var requestRevision: Int

    init(confidence: VNConfidence, requestRevision: Int) {
        self.confidence = confidence.isNaN ? 0 : min(1, max(0, confidence))
        self.requestRevision = requestRevision
        super.init()
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let confidence = archive.number("confidence"),
            (0...1).contains(confidence),
            let revision = archive.integer("requestRevision")
        else { return nil }
        self.confidence = VNConfidence(confidence)
        requestRevision = revision
        super.init()
    }

    /// Returns the landmarks themselves, which are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Archives

    /// Landmarks support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Encodes the landmarks for `init(coder:)`.
    open func encode(with coder: NSCoder) { archive().write(to: coder) }

    /// Adds the values of this class. Subclasses call this, then add their own.
    func encode(into archive: inout ObservationArchive) {
        archive.set("confidence", Double(confidence))
        archive.set("requestRevision", requestRevision)
    }

    // MARK: - Equality

    /// Whether the other object holds landmarks of the same class with the same values.
    open override func isEqual(_ object: Any?) -> Bool { hasValues(of: object) }

    /// Equal landmarks have equal hashes.
    open override var hash: Int { confidence.hashValue ^ requestRevision.hashValue }
}
