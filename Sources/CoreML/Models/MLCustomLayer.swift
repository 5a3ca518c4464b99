/// A layer of a network that a program brings itself.
///
/// Not implemented: only `.mlmodel` files can ask for one, and those do not load yet. Classes that conform compile.
public protocol MLCustomLayer {
    /// A layer with the parameters that the model gives.
    init(parameters: [String: Any]) throws
    /// Takes the weights that the model holds.
    func setWeightData(_ weights: [Data]) throws
    /// The shapes that the layer makes of these.
    func outputShapes(forInputShapes inputShapes: [[NSNumber]]) throws -> [[NSNumber]]
    /// Calculates the outputs.
    func evaluate(inputs: [MLMultiArray], outputs: [MLMultiArray]) throws
}
