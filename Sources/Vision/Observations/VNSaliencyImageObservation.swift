import VisionImage

/// A saliency map: how much each part of the image stands out.
///
/// The pixel buffer has one 32-bit float per pixel (`kCVPixelFormatType_OneComponent32Float`): 0 where nothing stands
/// out, 1 where most does. It shows the whole region of interest, stretched to a square of 68 × 68 pixels in every
/// revision so far, whatever the aspect ratio of the image.
public class VNSaliencyImageObservation: VNPixelBufferObservation, @unchecked Sendable {
    /// The parts of the image that stand out: boxes around the modes of the map, the most salient first; nil where
    /// nothing stands out. Attention gives one box, objectness up to three.
    ///
    /// The boxes are normalised to the whole image, also with a region of interest; origin at the lower left. Their
    /// confidence is the highest value of the map within them.
    public let salientObjects: [VNRectangleObservation]?

    init(
        pixelBuffer: CVPixelBuffer, salientObjects: [VNRectangleObservation]?, requestRevision: Int,
        timeRange: CMTimeRange
    ) {
        self.salientObjects = salientObjects
        super.init(
            pixelBuffer: pixelBuffer, featureName: nil, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let count = archive.integer("salientObjects.count") else { return nil }
        if count < 0 {
            salientObjects = nil
        } else {
            guard let confidences = archive.numbers("salientObjects.confidences", count: count),
                let corners = archive.numbers("salientObjects.corners", count: 8 * count),
                let revision = archive.integer("requestRevision")
            else { return nil }
            let timeRange = archive.timeRange("timeRange") ?? .zero
            salientObjects = (0..<count).map { index in
                func point(_ corner: Int) -> CGPoint {
                    CGPoint(x: corners[8 * index + 2 * corner], y: corners[8 * index + 2 * corner + 1])
                }
                return VNRectangleObservation(
                    uuid: UUID(), confidence: VNConfidence(confidences[index]), requestRevision: revision,
                    corners: (topLeft: point(0), topRight: point(1), bottomRight: point(2), bottomLeft: point(3)),
                    timeRange: timeRange)
            }
        }
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("salientObjects.count", salientObjects?.count ?? -1)
        guard let salientObjects else { return }
        archive.set("salientObjects.confidences", salientObjects.map { Double($0.confidence) })
        archive.set(
            "salientObjects.corners",
            salientObjects.flatMap { [$0.topLeft, $0.topRight, $0.bottomRight, $0.bottomLeft] }
                .flatMap { [Double($0.x), Double($0.y)] })
    }

    /// The base description, and the number of salient objects.
    public override var description: String { "\(super.description) salientObjects=\(salientObjects?.count ?? 0)" }
}
