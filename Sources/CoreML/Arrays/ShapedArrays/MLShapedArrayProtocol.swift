/// A multidimensional array of numbers of one type, or a part of one: a value, unlike `MLMultiArray`.
///
/// It is a collection of its parts along the first axis. Shapes and indices that do not fit are programming errors and
/// end the process.
public protocol MLShapedArrayProtocol<Scalar>: ExpressibleByArrayLiteral, MutableCollection, RandomAccessCollection
where Index == Int {
    /// The type of the numbers. It is `Double`, `Float`, `Float16` or `Int32`.
    associatedtype Scalar: MLShapedArrayScalar

    /// The length of each axis; empty for a single number.
    var shape: [Int] { get }

    /// The distance in memory between consecutive indices of each axis, in numbers. Only the memory that
    /// `withUnsafeShapedBufferPointer(_:)` shows is addressed with it.
    var strides: [Int] { get }

    /// Creates an array over memory that is not copied, and not written to: what changes the array copies it first.
    ///
    /// - Parameters:
    ///   - bytes: The first number.
    ///   - shape: The length of each axis.
    ///   - strides: The distance in memory between consecutive indices of each axis, in numbers; not negative.
    ///   - deallocator: What frees the memory when the array is gone. With `.none` it must outlive the array.
    init(bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], strides: [Int], deallocator: Data.Deallocator)

    /// Creates an array whose numbers the caller writes.
    ///
    /// - Parameters:
    ///   - shape: The length of each axis.
    ///   - initializer: Writes all numbers; called with their memory and its strides.
    init(
        unsafeUninitializedShape shape: [Int],
        initializingWith initializer: (inout UnsafeMutableBufferPointer<Scalar>, [Int]) throws -> Void
    ) rethrows

    /// The part within these ranges of the leading axes, which has as many axes as the array.
    subscript<C>(sliceRanges: C) -> MLShapedArraySlice<Scalar> where C: Collection, C.Element == Range<Int> { get set }

    /// The part at these indices of the leading axes, which has that many axes less.
    subscript<C>(indices: C) -> MLShapedArraySlice<Scalar> where C: Collection, C.Element == Int { get set }

    /// The number at these indices, one for each axis.
    subscript<C>(scalarAt indices: C) -> Scalar where C: Collection, C.Element == Int { get set }

    /// Calls `body` with the array's memory from the first number to the last, the shape, and the strides of the
    /// memory.
    func withUnsafeShapedBufferPointer<R>(
        _ body: (UnsafeBufferPointer<Scalar>, [Int], [Int]) throws -> R
    ) rethrows -> R

    /// Calls `body` with the array's memory for writing, the shape, and the strides of the memory, which may differ
    /// from those before.
    mutating func withUnsafeMutableShapedBufferPointer<R>(
        _ body: (inout UnsafeMutableBufferPointer<Scalar>, [Int], [Int]) throws -> R
    ) rethrows -> R
}

// MARK: Making

extension MLShapedArrayProtocol {
    /// Creates an array with one axis.
    public init(arrayLiteral elements: Scalar...) { self.init(scalars: elements, shape: [elements.count]) }

    /// Creates an array of one number for every index.
    public init(repeating value: Scalar, shape: [Int]) {
        self.init(unsafeUninitializedShape: shape) { buffer, _ in buffer.initialize(repeating: value) }
    }

    /// Creates an array of these numbers, in row-major order.
    ///
    /// - Parameters:
    ///   - scalars: At least as many numbers as the shape has.
    ///   - shape: The length of each axis.
    public init<S>(scalars: S, shape: [Int]) where S: Sequence, S.Element == Scalar {
        self.init(unsafeUninitializedShape: shape) { buffer, _ in
            var iterator = scalars.makeIterator()
            for index in buffer.indices {
                guard let value = iterator.next() else {
                    preconditionFailure("\(index) scalars are too few for a shaped array of shape \(shape).")
                }
                buffer.initializeElement(at: index, to: value)
            }
        }
    }

    /// Creates an array over memory in row-major order that is not copied. See
    /// `init(bytesNoCopy:shape:strides:deallocator:)`.
    public init(bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], deallocator: Data.Deallocator) {
        self.init(bytesNoCopy: bytes, shape: shape, strides: contiguousStrides(shape), deallocator: deallocator)
    }

    /// Creates an array of another one's numbers, converted to the type of this one. Fractions of whole numbers are cut
    /// off; what a type cannot hold becomes the nearest that it can.
    public init<T>(converting source: T) where T: MLShapedArrayProtocol {
        self.init(ShapedBuffer<Scalar>(converting: source.buffer))
    }

    /// Creates an array of a multi-array's numbers, converted to the type of this one. See `init(converting:)`.
    public init(converting multiArray: MLMultiArray) { self.init(ShapedBuffer<Scalar>(converting: multiArray)) }

    /// Creates an array that shows the numbers of a multi-array, which must have this one's type. They are not copied
    /// before the shaped array is written to, so the multi-array must not be changed meanwhile.
    public init(_ multiArray: MLMultiArray) { self.init(ShapedBuffer<Scalar>(multiArray)) }

    /// Creates an array over a buffer, which it shares.
    init(_ buffer: ShapedBuffer<Scalar>) {
        if let result = MLShapedArray(buffer: buffer) as? Self {
            self = result
        } else if let result = MLShapedArraySlice(buffer: buffer) as? Self {
            self = result
        } else {
            self.init(scalars: buffer.scalars, shape: buffer.shape)
        }
    }

    /// The array's memory, shared where the type is one of this module.
    var buffer: ShapedBuffer<Scalar> {
        if let array = self as? MLShapedArray<Scalar> { return array.storage }
        if let slice = self as? MLShapedArraySlice<Scalar> { return slice.storage }
        return MLShapedArray<Scalar>(scalars: scalars, shape: shape).storage
    }
}

extension MLShapedArrayProtocol where Scalar: BinaryFloatingPoint, Scalar.RawSignificand: FixedWidthInteger {
    /// Creates a square matrix with ones on its diagonal and zeros elsewhere.
    public init(identityMatrixOfSize size: Int) {
        self.init(repeating: 0, shape: [size, size])
        for index in 0..<size { self[scalarAt: [index, index]] = 1 }
    }

    /// Creates an array of random numbers within a range.
    public init(randomScalarsIn range: Range<Scalar>, shape: [Int]) {
        self.init(unsafeUninitializedShape: shape) { buffer, _ in
            for index in buffer.indices { buffer.initializeElement(at: index, to: Scalar.random(in: range)) }
        }
    }
}

extension MLShapedArrayProtocol where Scalar: FixedWidthInteger {
    /// Creates a square matrix with ones on its diagonal and zeros elsewhere.
    public init(identityMatrixOfSize size: Int) {
        self.init(repeating: 0, shape: [size, size])
        for index in 0..<size { self[scalarAt: [index, index]] = 1 }
    }

    /// Creates an array of random numbers within a range.
    public init(randomScalarsIn range: Range<Scalar>, shape: [Int]) {
        self.init(unsafeUninitializedShape: shape) { buffer, _ in
            for index in buffer.indices { buffer.initializeElement(at: index, to: Scalar.random(in: range)) }
        }
    }
}

/// The strides of a shape in row-major order. Products that overflow are found where the memory is checked.
private func contiguousStrides(_ shape: [Int]) -> [Int] {
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
        strides[axis] = strides[axis + 1].multipliedReportingOverflow(by: max(1, shape[axis + 1])).partialValue
    }
    return strides
}

// MARK: Numbers

extension MLShapedArrayProtocol {
    /// The length of the first axis; 0 for a single number.
    public var count: Int { shape.first ?? 0 }

    /// The number of numbers: the product of the lengths.
    public var scalarCount: Int { shape.reduce(1, *) }

    /// Whether the array has no axes: it is one number.
    public var isScalar: Bool { shape.isEmpty }

    /// The numbers in row-major order. When set, there must be as many as the shape has.
    public var scalars: [Scalar] {
        get { buffer.scalars }
        set { fillScalars(newValue) }
    }

    /// The number of an array without axes; nil for others. Setting it does nothing for others.
    public var scalar: Scalar? {
        get { isScalar ? self[scalarAt: [Int]()] : nil }
        set { if isScalar, let newValue { self[scalarAt: [Int]()] = newValue } }
    }

    /// Sets all numbers to one.
    public mutating func fill(with value: Scalar) {
        fillScalars([Scalar](repeating: value, count: scalarCount))
    }

    /// Sets the numbers, in row-major order, to those of a collection, which is read again from its beginning where it
    /// is shorter.
    public mutating func fill<C>(with collection: C) where C: Collection, C.Element == Scalar {
        precondition(scalarCount == 0 || !collection.isEmpty, "There are no numbers to fill the array with.")
        var filled: [Scalar] = []
        filled.reserveCapacity(scalarCount)
        while filled.count < scalarCount { filled += collection.prefix(scalarCount - filled.count) }
        fillScalars(filled)
    }

    private mutating func fillScalars(_ scalars: [Scalar]) {
        let shape = shape
        precondition(
            scalars.count == scalarCount, "\(scalars.count) scalars for a shaped array of shape \(shape)")
        self[[Range<Int>]()] = MLShapedArraySlice(scalars: scalars, shape: shape)
    }
}
