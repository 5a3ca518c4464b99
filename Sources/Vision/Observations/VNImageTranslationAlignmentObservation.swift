import VisionImage

/// The translation that aligns two images.
open class VNImageTranslationAlignmentObservation: VNImageAlignmentObservation, @unchecked Sendable {
    /// The translation that moves the floating (targeted) image onto the reference (the handler's image): `tx` and `ty`
    /// in pixels of the upright images, y up; the other entries are those of the identity.
    ///
    /// For content that lies 5 pixels further right and 3 pixels further up in the floating image than in the
    /// reference, tx = -5 and ty = -3.
    open private(set) var alignmentTransform: CGAffineTransform

    init(
        alignmentTransform: CGAffineTransform, confidence: VNConfidence, requestRevision: Int,
        timeRange: CMTimeRange = .zero
    ) {
        self.alignmentTransform = alignmentTransform
        super.init(confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let transform = archive.transform("alignmentTransform")
        else { return nil }
        alignmentTransform = transform
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("alignmentTransform", alignmentTransform)
    }

    /// The base description, and the translation.
    open override var description: String {
        "\(super.description) tx=\(alignmentTransform.tx) ty=\(alignmentTransform.ty)"
    }
}
