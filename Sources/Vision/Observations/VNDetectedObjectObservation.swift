import VisionImage

/// The location of an object in the image.
open class VNDetectedObjectObservation: VNObservation, @unchecked Sendable {
    /// The bounding box of the object, normalised to the processed image (the request's region of interest), origin at
    /// the lower left. It may reach beyond the unit square.
    open private(set) var boundingBox: CGRect

    /// The mask of the object over the region of interest, for requests that compute one
    /// (`VNDetectDocumentSegmentationRequest`); nil for others.
    open private(set) var globalSegmentationMask: VNPixelBufferObservation?

    /// Whether a tracker made the observation: only then does it continue a track, otherwise it starts one.
    let isTrackerResult: Bool

    /// Creates an observation to start a tracker with: confidence 1 and a new uuid.
    ///
    /// - Parameter boundingBox: The box, normalised, origin at the lower left.
    public convenience init(boundingBox: CGRect) {
        self.init(requestRevision: VNRequestRevisionUnspecified, boundingBox: boundingBox)
    }

    /// Creates an observation for a certain revision.
    ///
    /// - Parameters:
    ///   - requestRevision: The revision of the observation.
    ///   - boundingBox: The box, normalised, origin at the lower left.
    public convenience init(requestRevision: Int, boundingBox: CGRect) {
        self.init(uuid: UUID(), requestRevision: requestRevision, boundingBox: boundingBox)
    }

    /// Creates an observation with an empty box, for subclasses and tests.
    public override init() {
        boundingBox = .zero
        isTrackerResult = false
        globalSegmentationMask = nil
        super.init()
    }

    init(
        uuid: UUID, confidence: VNConfidence = 1, requestRevision: Int, boundingBox: CGRect,
        isTrackerResult: Bool = false, timeRange: CMTimeRange = .zero,
        globalSegmentationMask: VNPixelBufferObservation? = nil
    ) {
        self.boundingBox = boundingBox
        self.isTrackerResult = isTrackerResult
        self.globalSegmentationMask = globalSegmentationMask
        super.init(uuid: uuid, confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let box = archive.rect("boundingBox") else { return nil }
        boundingBox = box
        globalSegmentationMask = archive.part("globalSegmentationMask").flatMap {
            VNPixelBufferObservation(archive: $0)
        }
        isTrackerResult = archive.integer("isTrackerResult") == 1
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("boundingBox", boundingBox)
        if let globalSegmentationMask { archive.set("globalSegmentationMask", globalSegmentationMask.archived) }
        if isTrackerResult { archive.set("isTrackerResult", 1) }
    }

    /// The base description, and the box.
    open override var description: String { "\(super.description) boundingBox=\(boundingBox.text)" }
}
