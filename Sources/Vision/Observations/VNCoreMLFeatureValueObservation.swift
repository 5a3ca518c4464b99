import CoreML

/// An output of a Core ML model. The confidence is 1.
open class VNCoreMLFeatureValueObservation: VNObservation, @unchecked Sendable {
    /// The output.
    open private(set) var featureValue: MLFeatureValue
    /// Its name in the model.
    open private(set) var featureName: String

    init(
        featureValue: MLFeatureValue, featureName: String, requestRevision: Int, timeRange: CMTimeRange = .zero
    ) {
        self.featureValue = featureValue
        self.featureName = featureName
        super.init(requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let value = archive.feature("featureValue"),
            let name = archive.text("featureName")
        else { return nil }
        featureValue = value
        featureName = name
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("featureValue", featureValue)
        archive.set("featureName", featureName)
    }

    /// The base description, and the output.
    open override var description: String { "\(super.description) “\(featureName)” \(featureValue)" }
}
