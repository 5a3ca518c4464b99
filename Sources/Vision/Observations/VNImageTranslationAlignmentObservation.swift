import VisionImage

/// How far one image has to be shifted to lie on another.
public final class VNImageTranslationAlignmentObservation: VNImageAlignmentObservation, @unchecked Sendable {
    /// The shift that moves the floating (targeted) image onto the reference (the handler's image): `tx` and `ty` in
    /// pixels of the upright images, y up; the other entries are those of the identity.
    ///
    /// Content that in the floating image lies 5 pixels further right and 3 pixels further up than in the reference gives
    /// tx = -5, ty = -3.
    public let alignmentTransform: CGAffineTransform

    init(
        alignmentTransform: CGAffineTransform, confidence: VNConfidence, requestRevision: Int,
        timeRange: CMTimeRange = .zero
    ) {
        self.alignmentTransform = alignmentTransform
        super.init(confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Reads an observation from an archive; nil when the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let transform = archive.transform("alignmentTransform") else { return nil }
        alignmentTransform = transform
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("alignmentTransform", alignmentTransform)
    }

    /// As of every observation, and the shift.
    public override var description: String {
        "\(super.description) tx=\(alignmentTransform.tx) ty=\(alignmentTransform.ty)"
    }
}
