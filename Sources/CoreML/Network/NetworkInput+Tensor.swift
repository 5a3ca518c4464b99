package import VisionInference

extension NetworkInput {
    /// Returns the input as a separate tensor.
    package func tensor(of type: ElementType) throws -> Tensor { try Tensor(type, shape: shape, fill: fill) }
}
