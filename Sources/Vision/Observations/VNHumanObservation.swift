import VisionImage

/// A person.
public class VNHumanObservation: VNDetectedObjectObservation, @unchecked Sendable {
    /// Whether the bounding box is that of the upper body (head and torso), not of the whole body.
    public let upperBodyOnly: Bool

    init(
        upperBodyOnly: Bool, confidence: VNConfidence, requestRevision: Int, boundingBox: CGRect,
        timeRange: CMTimeRange
    ) {
        self.upperBodyOnly = upperBodyOnly
        super.init(
            uuid: UUID(), confidence: confidence, requestRevision: requestRevision, boundingBox: boundingBox,
            timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let upperBodyOnly = archive.integer("upperBodyOnly") else { return nil }
        self.upperBodyOnly = upperBodyOnly == 1
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("upperBodyOnly", upperBodyOnly ? 1 : 0)
    }

    /// The base description, and the part of the body.
    public override var description: String { "\(super.description) upperBodyOnly=\(upperBodyOnly)" }
}
