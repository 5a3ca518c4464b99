/// A network layer implemented by the program.
///
/// Not implemented: Core ML files that ask for one do not load. Classes that conform compile.
public protocol MLCustomLayer {
    /// Creates a layer with the parameters of the model.
    init(parameters: [String: Any]) throws
    /// Sets the weights that the model holds.
    func setWeightData(_ weights: [Data]) throws
    /// Returns the output shapes for these input shapes.
    func outputShapes(forInputShapes inputShapes: [[NSNumber]]) throws -> [[NSNumber]]
    /// Computes the outputs.
    func evaluate(inputs: [MLMultiArray], outputs: [MLMultiArray]) throws
}
