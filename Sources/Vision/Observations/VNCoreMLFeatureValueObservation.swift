import CoreML

/// An output of a Core ML model. The confidence is 1.
public class VNCoreMLFeatureValueObservation: VNObservation, @unchecked Sendable {
    /// The output.
    public let featureValue: MLFeatureValue
    /// Its name in the model.
    public let featureName: String

    init(
        featureValue: MLFeatureValue, featureName: String, requestRevision: Int, timeRange: CMTimeRange = .zero
    ) {
        self.featureValue = featureValue
        self.featureName = featureName
        super.init(requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let value = archive.feature("featureValue"), let name = archive.text("featureName") else { return nil }
        featureValue = value
        featureName = name
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("featureValue", featureValue)
        archive.set("featureName", featureName)
    }

    /// The base description, and the output.
    public override var description: String { "\(super.description) “\(featureName)” \(featureValue)" }
}
