import VisionImage

/// An image computed by an algorithm. The confidence is 1.
open class VNPixelBufferObservation: VNObservation, @unchecked Sendable {
    /// The image.
    open private(set) var pixelBuffer: CVPixelBuffer
    /// The name of the output of the Core ML model; nil if it comes from no such model.
    open private(set) var featureName: String?

    init(
        pixelBuffer: CVPixelBuffer, featureName: String?, requestRevision: Int, timeRange: CMTimeRange = .zero
    ) {
        self.pixelBuffer = pixelBuffer
        self.featureName = featureName
        super.init(requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let buffer = archive.image("pixelBuffer") else {
            return nil
        }
        pixelBuffer = buffer
        featureName = archive.text("featureName")
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("pixelBuffer", pixelBuffer)
        if let featureName { archive.set("featureName", featureName) }
    }

    /// The base description, and the size of the image.
    open override var description: String {
        "\(super.description) \(CVPixelBufferGetWidth(pixelBuffer)) × \(CVPixelBufferGetHeight(pixelBuffer))"
            + (featureName.map { " “\($0)”" } ?? "")
    }
}
