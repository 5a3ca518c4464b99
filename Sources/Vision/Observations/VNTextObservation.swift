import VisionImage

/// The location of a text line.
///
/// The corners are in reading direction: `topLeft` is where reading starts. Upside-down text cannot be recognised as
/// such and counts as upright.
open class VNTextObservation: VNRectangleObservation, @unchecked Sendable {
    /// The boxes of the characters in reading order: nil unless the request asked for them, empty if none could be
    /// separated. They are normalised like the text line and rotated with it.
    open private(set) var characterBoxes: [VNRectangleObservation]?

    /// Creates an observation without characters, for subclasses and tests.
    public override init() {
        characterBoxes = nil
        super.init()
    }

    init(
        confidence: VNConfidence, requestRevision: Int, corners: Corners, characters: [Corners]?, timeRange: CMTimeRange
    ) {
        characterBoxes = characters?.map {
            VNRectangleObservation(
                uuid: UUID(), confidence: confidence, requestRevision: requestRevision, corners: $0,
                timeRange: timeRange)
        }
        super.init(
            uuid: UUID(), confidence: confidence, requestRevision: requestRevision, corners: corners,
            timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder) else { return nil }
        guard let count = archive.integer("characterCount") else {
            characterBoxes = nil
            super.init(coder: archive.coder)
            return
        }
        guard let confidence = archive.number("confidence"), let revision = archive.integer("requestRevision"),
            count >= 0, let names = archive.texts("characterNames"), names.count == count,
            // Their number is bounded by that of the names, which exist.
            let points = archive.points("characters", count: 4 * names.count)
        else { return nil }
        var boxes: [VNRectangleObservation] = []
        for (index, name) in names.enumerated() {
            guard let uuid = UUID(uuidString: name) else { return nil }
            boxes.append(
                VNRectangleObservation(
                    uuid: uuid, confidence: VNConfidence(confidence), requestRevision: revision,
                    corners: (
                        topLeft: points[4 * index], topRight: points[4 * index + 1],
                        bottomRight: points[4 * index + 2], bottomLeft: points[4 * index + 3]
                    ), timeRange: archive.timeRange("timeRange") ?? .zero))
        }
        characterBoxes = boxes
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        guard let characterBoxes else { return }
        archive.set("characterCount", characterBoxes.count)
        archive.set("characterNames", characterBoxes.map(\.uuid.uuidString))
        archive.set("characters", characterBoxes.flatMap { [$0.topLeft, $0.topRight, $0.bottomRight, $0.bottomLeft] })
    }
}
