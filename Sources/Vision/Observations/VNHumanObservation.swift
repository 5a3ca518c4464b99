import VisionImage

/// A person.
open class VNHumanObservation: VNDetectedObjectObservation, @unchecked Sendable {
    /// Whether the bounding box is that of the upper body (head and torso), not of the whole body.
    open private(set) var upperBodyOnly: Bool

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
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let upperBodyOnly = archive.integer("upperBodyOnly") else {
            return nil
        }
        self.upperBodyOnly = upperBodyOnly == 1
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("upperBodyOnly", upperBodyOnly ? 1 : 0)
    }

    /// The base description, and the part of the body.
    open override var description: String { "\(super.description) upperBodyOnly=\(upperBodyOnly)" }
}
