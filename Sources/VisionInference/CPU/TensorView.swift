/// A tensor inside a running network: dense, row-major, memory that belongs to the run.
///
/// Never leaves the engine. Outputs are written, inputs and constants are only read; an operator's inputs and outputs
/// do not overlap, except where it says that it can work in place.
package struct TensorView {
    package let type: ElementType
    package let shape: Shape
    package let base: UnsafeMutableRawPointer

    package var elementCount: Int { shape.elementCount }
    package var byteCount: Int { elementCount * type.size }

    /// The elements. Precondition: they are of this type (`UInt8` for truth values).
    package func elements<Scalar: TensorScalar>(_ type: Scalar.Type = Scalar.self) -> UnsafeMutableBufferPointer<Scalar>
    {
        precondition(self.type == Scalar.elementType || (self.type == .bool && Scalar.elementType == .uint8))
        return UnsafeMutableBufferPointer(start: base.assumingMemoryBound(to: Scalar.self), count: elementCount)
    }

    package var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: byteCount)
    }
}

extension Tensor {
    /// A tensor whose elements `fill` writes, all of them, where a running network would read them.
    package init(_ type: ElementType, shape: Shape, fill: (TensorView) throws -> Void) throws {
        try self.init(zeros: shape, of: type)
        try fill(TensorView(type: type, shape: shape, base: storage.base))
    }

    /// Valid as long as the storage lives, and only to be read.
    var view: TensorView { TensorView(type: type, shape: shape, base: storage.base) }
}

extension TensorView {
    /// A description that has the value as well if it can be a list of whole numbers that is a parameter.
    func describedWithIntegers() throws -> TensorDescription {
        guard type == .int64 || type == .int32, shape.count <= 1, elementCount <= 4 * ModelLimits.rank else {
            return TensorDescription(type, shape)
        }
        let copy = try Tensor(zeros: shape, of: type)
        copyBytes(byteCount, from: base, to: copy.storage.base)
        return TensorDescription(copy)
    }
}
