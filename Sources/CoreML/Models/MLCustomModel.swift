/// A model implemented by the program.
///
/// Not implemented: Core ML files that ask for one do not load. Classes that conform compile.
public protocol MLCustomModel {
    /// Creates a model with the parameters of the file.
    init(modelDescription: MLModelDescription, parameters: [String: Any]) throws
    /// Computes the outputs.
    func prediction(from input: any MLFeatureProvider, options: MLPredictionOptions) throws -> any MLFeatureProvider
}
