import VisionImage

/// The landmarks of one part of a face: an abstract base.
public class VNFaceLandmarkRegion: NSObject, NSCopying, NSSecureCoding, VNRequestRevisionProviding, @unchecked Sendable
{
    // Unchecked as observations are: every stored property is a `let` of a Sendable type.

    /// How many landmarks there are. It depends on the constellation, and may be 0.
    public let pointCount: Int
    /// The revision of the request that found them.
    public let requestRevision: Int

    init(pointCount: Int, requestRevision: Int) {
        self.pointCount = pointCount
        self.requestRevision = requestRevision
        super.init()
    }

    required init?(archive: ObservationArchive) {
        guard let pointCount = archive.integer("pointCount"), let revision = archive.integer("requestRevision")
        else { return nil }
        self.pointCount = pointCount
        requestRevision = revision
        super.init()
    }

    /// The region itself: it cannot change, so a copy would be the same.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Archives

    /// Regions can be read from archives that are not trusted.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the region; what `init(coder:)` reads.
    public func encode(with coder: NSCoder) { archived.write(to: coder) }

    /// Reads a region from an archive; nil when the archive holds none.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    /// Adds the values of this class. Subclasses call this, then add theirs.
    func encode(into archive: inout ObservationArchive) {
        archive.set("pointCount", pointCount)
        archive.set("requestRevision", requestRevision)
    }

    private var archived: ObservationArchive {
        var values = ObservationArchive()
        encode(into: &values)
        return values
    }

    // MARK: - Equality

    /// Whether the other object is a region of the same class with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNFaceLandmarkRegion, type(of: other) == type(of: self) else { return false }
        return other === self || other.archived == archived
    }

    /// Equal regions have equal hashes.
    public override var hash: Int { pointCount.hashValue ^ requestRevision.hashValue }
}
