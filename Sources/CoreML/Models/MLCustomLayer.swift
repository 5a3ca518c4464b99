/// A network layer that a class of the program computes.
///
/// A Core ML file names the class. Linux does not know classes by their Objective-C names, so register it before the
/// model is opened:
///
/// ```swift
/// MLModel.registerCustomLayer(Swish.self)
/// let model = try MLModel(contentsOf: url)
/// ```
///
/// Classes that are not registered are looked for as `Module.Class` where the file says that, and in the module of the
/// program's executable.
///
/// A layer is made once for a model, and used by one thread at a time. Errors that it throws become
/// `MLModelError.customLayer`. In networks of files before version 4 of the specification, and those with
/// `RANK5_ARRAY_MAPPING`, shapes are (sequence, batch, channel, row, column).
public protocol MLCustomLayer {
    /// Creates a layer.
    ///
    /// - Parameter parameters: What the file says of the layer: an `NSNumber`, which can be cast to numbers and truth
    ///   values, or a `String` each.
    init(parameters: [String: Any]) throws
    /// Sets the weights that the file has for the layer, once, before all other calls.
    ///
    /// - Parameter weights: The bytes of each weight as the file has them: 32-bit floats, half floats, or whatever the
    ///   converter wrote.
    func setWeightData(_ weights: [Data]) throws
    /// Returns the shapes of the outputs for inputs of these shapes, which must be the same each time.
    func outputShapes(forInputShapes inputShapes: [[NSNumber]]) throws -> [[NSNumber]]
    /// Computes the outputs.
    ///
    /// - Parameters:
    ///   - inputs: Arrays of 32-bit floats in row-major order.
    ///   - outputs: Arrays of the shapes that `outputShapes(forInputShapes:)` gave, to be written.
    func evaluate(inputs: [MLMultiArray], outputs: [MLMultiArray]) throws
}
