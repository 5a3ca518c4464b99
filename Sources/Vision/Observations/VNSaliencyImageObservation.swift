import VisionImage

/// A saliency map: how much each part of the image stands out.
///
/// The pixel buffer has one 32-bit float per pixel (`kCVPixelFormatType_OneComponent32Float`): 0 where nothing stands
/// out, 1 where most does. It shows the whole region of interest, stretched to a square of 68 × 68 pixels in every
/// revision so far, whatever the aspect ratio of the image.
open class VNSaliencyImageObservation: VNPixelBufferObservation, @unchecked Sendable {
    /// The parts of the image that stand out: boxes around the modes of the map, the most salient first; nil where
    /// nothing stands out. Attention gives one box, objectness up to three.
    ///
    /// The boxes are normalised to the whole image, also with a region of interest; origin at the lower left. Their
    /// confidence is the highest value of the map within them.
    open private(set) var salientObjects: [VNRectangleObservation]?

    /// The maximum number of salient objects.
    static let objectLimit = 3

    init(
        pixelBuffer: CVPixelBuffer, salientObjects: [VNRectangleObservation]?, requestRevision: Int,
        timeRange: CMTimeRange
    ) {
        self.salientObjects = salientObjects
        super.init(
            pixelBuffer: pixelBuffer, featureName: nil, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder) else { return nil }
        // Absent where nothing stands out. More objects than a request gives are no archive of one.
        if let count = archive.integer("salientObjectCount") {
            guard (0...Self.objectLimit).contains(count) else { return nil }
            var objects: [VNRectangleObservation] = []
            for index in 0..<count {
                guard
                    let object = archive.part("salientObject\(index)").flatMap({ VNRectangleObservation(archive: $0) })
                else { return nil }
                objects.append(object)
            }
            salientObjects = objects
        } else {
            salientObjects = nil
        }
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        guard let salientObjects else { return }
        archive.set("salientObjectCount", salientObjects.count)
        for (index, object) in salientObjects.enumerated() { archive.set("salientObject\(index)", object.archived) }
    }

    /// The base description, and the number of salient objects.
    open override var description: String { "\(super.description) salientObjects=\(salientObjects?.count ?? 0)" }
}
