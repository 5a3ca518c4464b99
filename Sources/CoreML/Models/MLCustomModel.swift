/// A model that a program brings itself.
///
/// Not implemented: only `.mlmodel` files can ask for one, and those do not load yet. Classes that conform compile.
public protocol MLCustomModel {
    /// A model with the parameters that the file gives.
    init(modelDescription: MLModelDescription, parameters: [String: Any]) throws
    /// Calculates the outputs.
    func prediction(from input: any MLFeatureProvider, options: MLPredictionOptions) throws -> any MLFeatureProvider
}
