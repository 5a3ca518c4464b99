/// The inputs, outputs and metadata of a model.
public final class MLModelDescription: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject and `Any`: everything in it is immutable.

    /// The inputs by name.
    public let inputDescriptionsByName: [String: MLFeatureDescription]
    /// The outputs by name.
    public let outputDescriptionsByName: [String: MLFeatureDescription]
    /// The name of the output with the label, for a classifier.
    public let predictedFeatureName: String?
    /// The name of the output with the score of every label, for a classifier.
    public let predictedProbabilitiesName: String?
    /// The author's metadata.
    public let metadata: [MLModelMetadataKey: Any]
    /// The labels of a classifier or a detector, in the order of the model's outputs: strings.
    public let classLabels: [Any]?

    init(
        inputs: [MLFeatureDescription], outputs: [MLFeatureDescription], predictedFeatureName: String? = nil,
        predictedProbabilitiesName: String? = nil, metadata: [MLModelMetadataKey: Any] = [:],
        classLabels: [Any]? = nil
    ) {
        inputDescriptionsByName = Dictionary(inputs.map { ($0.name, $0) }) { first, _ in first }
        outputDescriptionsByName = Dictionary(outputs.map { ($0.name, $0) }) { first, _ in first }
        self.predictedFeatureName = predictedFeatureName
        self.predictedProbabilitiesName = predictedProbabilitiesName
        self.metadata = metadata
        self.classLabels = classLabels
        super.init()
    }

    /// Whether the model can be updated: always false.
    public var isUpdatable: Bool { false }

    /// The inputs and outputs, one in each line.
    public override var description: String {
        func lines(_ title: String, _ features: [String: MLFeatureDescription]) -> [String] {
            features.keys.sorted().compactMap { features[$0].map { "\(title) \($0)" } }
        }
        return (lines("input", inputDescriptionsByName) + lines("output", outputDescriptionsByName))
            .joined(separator: "\n")
    }
}
