/// A model implemented by the program.
///
/// Not implemented: only `.mlmodel` files can ask for one, and those do not load yet. Classes that conform compile.
public protocol MLCustomModel {
    /// Creates a model with the parameters of the file.
    init(modelDescription: MLModelDescription, parameters: [String: Any]) throws
    /// Computes the outputs.
    func prediction(from input: any MLFeatureProvider, options: MLPredictionOptions) throws -> any MLFeatureProvider
}
