import VisionImage

/// An object's place in the image.
public class VNDetectedObjectObservation: VNObservation, @unchecked Sendable {
    /// The box around the object, normalised to the processed image (the request's region of interest), origin at the
    /// lower left. It may reach beyond the unit square.
    public let boundingBox: CGRect

    /// Whether a tracker made the observation: only then does it continue a track, otherwise it starts one.
    let isTrackerResult: Bool

    /// An observation made by hand, to start a tracker with: confidence 1 and a uuid of its own.
    ///
    /// - Parameter boundingBox: The box, normalised, origin at the lower left.
    public convenience init(boundingBox: CGRect) {
        self.init(requestRevision: VNRequestRevisionUnspecified, boundingBox: boundingBox)
    }

    /// An observation made by hand for a certain revision.
    ///
    /// - Parameters:
    ///   - requestRevision: The revision that the observation shall name.
    ///   - boundingBox: The box, normalised, origin at the lower left.
    public convenience init(requestRevision: Int, boundingBox: CGRect) {
        self.init(uuid: UUID(), requestRevision: requestRevision, boundingBox: boundingBox)
    }

    init(
        uuid: UUID, confidence: VNConfidence = 1, requestRevision: Int, boundingBox: CGRect,
        isTrackerResult: Bool = false, timeRange: CMTimeRange = .zero
    ) {
        self.boundingBox = boundingBox
        self.isTrackerResult = isTrackerResult
        super.init(uuid: uuid, confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Reads an observation from an archive; nil when the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let box = archive.rect("boundingBox") else { return nil }
        boundingBox = box
        isTrackerResult = archive.integer("isTrackerResult") == 1
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("boundingBox", boundingBox)
        if isTrackerResult { archive.set("isTrackerResult", 1) }
    }

    /// As of every observation, and the box.
    public override var description: String { "\(super.description) boundingBox=\(boundingBox.text)" }
}
