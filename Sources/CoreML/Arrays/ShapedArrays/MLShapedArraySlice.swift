/// A part of a shaped array, and itself one. Its indices begin at 0; changing it does not change the array.
public struct MLShapedArraySlice<Scalar: MLShapedArrayScalar>: MLShapedArrayProtocol, Sendable {
    /// The parts along the first axis.
    public typealias Element = MLShapedArraySlice<Scalar>
    /// An index of the first axis.
    public typealias Index = Int
    /// The indices of the first axis.
    public typealias Indices = Range<Int>
    /// A part within a range of the first axis.
    public typealias SubSequence = MLShapedArraySlice<Scalar>
    /// The parts along the first axis, one after the other.
    public typealias Iterator = IndexingIterator<MLShapedArraySlice<Scalar>>
    /// The numbers of a literal.
    public typealias ArrayLiteralElement = Scalar

    var storage: ShapedBuffer<Scalar>

    init(buffer: ShapedBuffer<Scalar>) { storage = buffer }

    /// The length of each axis; empty for a single number.
    public var shape: [Int] { storage.shape }

    /// The distance in memory between consecutive indices of each axis, in numbers.
    public var strides: [Int] { storage.strides }

    /// Creates an array over memory that is not copied, and not written to: what changes the array copies it first.
    ///
    /// - Parameters:
    ///   - bytes: The first number.
    ///   - shape: The length of each axis.
    ///   - strides: The distance in memory between consecutive indices of each axis, in numbers; not negative.
    ///   - deallocator: What frees the memory when the array is gone. With `.none` it must outlive the array.
    public init(bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], strides: [Int], deallocator: Data.Deallocator) {
        storage = ShapedBuffer(bytes, shape: shape, strides: strides, deallocator: deallocator)
    }

    /// Creates an array whose numbers the caller writes.
    ///
    /// - Parameters:
    ///   - shape: The length of each axis.
    ///   - initializer: Writes all numbers; called with their memory and its strides.
    public init(
        unsafeUninitializedShape shape: [Int],
        initializingWith initializer: (inout UnsafeMutableBufferPointer<Scalar>, [Int]) throws -> Void
    ) rethrows {
        storage = ShapedBuffer(uninitialized: shape)
        try storage.withMutableBuffer { buffer, strides in try initializer(&buffer, strides) }
    }

    /// Creates an array without axes, of one number.
    public init(scalar: Scalar) { self.init(repeating: scalar, shape: []) }

    /// Creates an array of the numbers in `data`, which are copied.
    ///
    /// - Parameters:
    ///   - data: The numbers in memory order.
    ///   - shape: The length of each axis.
    ///   - strides: The distance in memory between consecutive indices of each axis, in numbers; not negative.
    public init(data: Data, shape: [Int], strides: [Int]) {
        storage = ShapedBuffer(data, shape: shape, strides: strides)
    }

    /// Creates an array of others, one after the other along an axis.
    ///
    /// - Parameters:
    ///   - shapedArrays: At least one array; their shapes differ in the length of that axis at most.
    ///   - alongAxis: The axis; negative ones count from the last.
    public init<S>(concatenating shapedArrays: S, alongAxis: Int)
    where S: Sequence, S.Element: MLShapedArrayProtocol, S.Element.Scalar == Scalar {
        storage = ShapedBuffer(concatenating: shapedArrays.map(\.buffer), axis: alongAxis)
    }

    /// The part within these ranges of the leading axes, which has as many axes as the array.
    public subscript<C>(sliceRanges: C) -> MLShapedArraySlice<Scalar> where C: Collection, C.Element == Range<Int> {
        get { MLShapedArraySlice(buffer: storage.part(Array(sliceRanges))) }
        set { storage.replace({ $0.part(Array(sliceRanges)) }, with: newValue.storage) }
    }

    /// The part at these indices of the leading axes, which has that many axes less.
    public subscript<C>(indices: C) -> MLShapedArraySlice<Scalar> where C: Collection, C.Element == Int {
        get { MLShapedArraySlice(buffer: storage.part(at: Array(indices))) }
        set { storage.replace({ $0.part(at: Array(indices)) }, with: newValue.storage) }
    }

    /// The number at these indices, one for each axis.
    public subscript<C>(scalarAt indices: C) -> Scalar where C: Collection, C.Element == Int {
        get { storage[scalarAt: indices] }
        set { storage[scalarAt: indices] = newValue }
    }

    /// Calls `body` with the array's memory from the first number to the last, the shape, and the strides of the
    /// memory.
    public func withUnsafeShapedBufferPointer<R>(
        _ body: (UnsafeBufferPointer<Scalar>, [Int], [Int]) throws -> R
    ) rethrows -> R {
        try storage.withBuffer { try body($0, storage.shape, storage.strides) }
    }

    /// Calls `body` with the array's memory for writing, the shape, and the strides of the memory, which may differ
    /// from those before.
    public mutating func withUnsafeMutableShapedBufferPointer<R>(
        _ body: (inout UnsafeMutableBufferPointer<Scalar>, [Int], [Int]) throws -> R
    ) rethrows -> R {
        let shape = shape
        return try storage.withMutableBuffer { buffer, strides in try body(&buffer, shape, strides) }
    }
}

extension MLShapedArraySlice: Equatable where Scalar: Equatable {
    /// Returns whether both have the same shape and equal numbers.
    public static func == (a: Self, b: Self) -> Bool { a.shape == b.shape && a.scalars == b.scalars }
}

extension MLShapedArraySlice: Encodable where Scalar: Encodable {
    /// Encodes the shape and the numbers in row-major order.
    public func encode(to encoder: any Encoder) throws {
        try ShapedArrayArchive(shape: shape, scalars: scalars).encode(to: encoder)
    }
}

extension MLShapedArraySlice: Decodable where Scalar: Decodable {
    /// Decodes an array.
    ///
    /// - Throws: `DecodingError` if the numbers are not as many as the shape has.
    public init(from decoder: any Decoder) throws {
        let archive = try ShapedArrayArchive<Scalar>(from: decoder)
        self.init(scalars: archive.scalars, shape: archive.shape)
    }
}

extension MLShapedArraySlice: CustomStringConvertible {
    /// The type and shape, and the numbers if they are few.
    public var description: String { storage.description }
}
