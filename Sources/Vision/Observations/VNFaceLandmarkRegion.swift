/// The landmarks of one part of a face: an abstract base class.
open class VNFaceLandmarkRegion: NSObject, NSCopying, NSSecureCoding, VNRequestRevisionProviding, ArchivableValues,
    @unchecked Sendable
{
    // Unchecked for the same reason as observations: every stored property is a `let` of a Sendable type.

    /// The number of landmarks. It depends on the constellation, and may be 0.
    open private(set) var pointCount: Int
    /// The revision of the request that found them.
    open private(set) var requestRevision: Int

    init(pointCount: Int, requestRevision: Int) {
        self.pointCount = pointCount
        self.requestRevision = requestRevision
        super.init()
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let pointCount = archive.integer("pointCount"),
            let revision = archive.integer("requestRevision")
        else { return nil }
        self.pointCount = pointCount
        requestRevision = revision
        super.init()
    }

    /// Returns the region itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Archives

    /// Regions support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Encodes the region for `init(coder:)`.
    open func encode(with coder: NSCoder) { archive().write(to: coder) }

    /// Adds the values of this class. Subclasses call this, then add their own.
    func encode(into archive: inout ObservationArchive) {
        archive.set("pointCount", pointCount)
        archive.set("requestRevision", requestRevision)
    }

    // MARK: - Equality

    /// Whether the other object is a region of the same class with the same values.
    open override func isEqual(_ object: Any?) -> Bool { hasValues(of: object) }

    /// Equal regions have equal hashes.
    open override var hash: Int { pointCount.hashValue ^ requestRevision.hashValue }
}
