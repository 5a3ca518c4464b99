package import VisionInference

extension NetworkInput {
    /// What goes into the network as a tensor of its own.
    package func tensor(of type: ElementType) throws -> Tensor { try Tensor(type, shape: shape, fill: fill) }
}
