extension Tensor {
    /// A tensor whose elements `fill` writes, all of them, where a running network would read them.
    package init(_ type: ElementType, shape: Shape, fill: (TensorView) throws -> Void) throws {
        try self.init(zeros: shape, of: type)
        try fill(TensorView(type: type, shape: shape, base: storage.base))
    }
}
