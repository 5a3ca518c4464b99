/// What a model takes and gives, and what its maker says of it.
public final class MLModelDescription: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject and `Any`: everything in it is immutable.

    /// What the model takes, by name.
    public let inputDescriptionsByName: [String: MLFeatureDescription]
    /// What the model gives, by name.
    public let outputDescriptionsByName: [String: MLFeatureDescription]
    /// The output with the label, of a classifier.
    public let predictedFeatureName: String?
    /// The output with the score of every label, of a classifier.
    public let predictedProbabilitiesName: String?
    /// What the model's maker says of it.
    public let metadata: [MLModelMetadataKey: Any]
    /// The labels of a classifier or a detector, in the order in which the model counts them: strings.
    public let classLabels: [Any]?

    init(
        inputs: [MLFeatureDescription], outputs: [MLFeatureDescription], predictedFeatureName: String? = nil,
        predictedProbabilitiesName: String? = nil, metadata: [MLModelMetadataKey: Any] = [:],
        classLabels: [String]? = nil
    ) {
        inputDescriptionsByName = Dictionary(inputs.map { ($0.name, $0) }) { first, _ in first }
        outputDescriptionsByName = Dictionary(outputs.map { ($0.name, $0) }) { first, _ in first }
        self.predictedFeatureName = predictedFeatureName
        self.predictedProbabilitiesName = predictedProbabilitiesName
        self.metadata = metadata
        self.classLabels = classLabels
        super.init()
    }

    /// Whether the model can be trained further: none can.
    public var isUpdatable: Bool { false }

    /// Inputs and outputs, one a line.
    public override var description: String {
        func lines(_ title: String, _ features: [String: MLFeatureDescription]) -> [String] {
            features.keys.sorted().compactMap { features[$0].map { "\(title) \($0)" } }
        }
        return (lines("input", inputDescriptionsByName) + lines("output", outputDescriptionsByName))
            .joined(separator: "\n")
    }
}
