/// Bytes of tensors: owned, or inside something that is kept alive, such as the bytes of a file.
package final class TensorStorage: @unchecked Sendable {
    // Unchecked: written by the initialisers only, or by whoever holds the only reference.
    package let base: UnsafeMutableRawPointer
    package let byteCount: Int
    private let memory: Memory

    private enum Memory {
        case heap
        case block(MemoryBlock)
        case owner(AnyObject)
    }

    /// Whether the memory is the owner's.
    package var isBorrowed: Bool {
        if case .owner = memory { true } else { false }
    }

    /// Zeroed memory on a cache line.
    package init(byteCount: Int) {
        self.byteCount = byteCount
        base = UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: 64)
        clearBytes(max(byteCount, 1), at: base)
        memory = .heap
    }

    /// Owns a block.
    init(_ block: MemoryBlock) {
        byteCount = block.byteCount
        base = block.base
        memory = .block(block)
    }

    /// Memory of `owner`'s, which stays where it is as long as `owner` lives, and is never written. Copied when it does
    /// not begin where numbers may.
    package convenience init(borrowing bytes: UnsafeRawBufferPointer, from owner: AnyObject) {
        if let base = bytes.baseAddress, UInt(bitPattern: base) % 8 == 0 {
            self.init(base: UnsafeMutableRawPointer(mutating: base), byteCount: bytes.count, owner: owner)
        } else {
            self.init(copying: bytes)
        }
    }

    package convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(byteCount: bytes.count)
        if let source = bytes.baseAddress { copyBytes(bytes.count, from: source, to: base) }
    }

    private init(base: UnsafeMutableRawPointer, byteCount: Int, owner: AnyObject) {
        self.base = base
        self.byteCount = byteCount
        memory = .owner(owner)
    }

    deinit {
        switch memory {
        case .heap: base.deallocate()
        case .block(let block): block.deallocate()
        case .owner: break
        }
    }
}

/// A value of a graph: dense, row-major, immutable once made.
package struct Tensor: Sendable {
    package let type: ElementType
    package let shape: Shape
    package let storage: TensorStorage

    /// A tensor of zeros.
    package init(zeros shape: Shape, of type: ElementType) throws {
        self.type = type
        self.shape = shape
        storage = TensorStorage(byteCount: try shape.checkedElementCount(type) * type.size)
    }

    /// - Parameter storage: holds at least the elements that the shape has.
    package init(_ type: ElementType, shape: Shape, storage: TensorStorage) throws {
        let needed = try shape.checkedElementCount(type) * type.size
        guard storage.byteCount >= needed else {
            throw ModelError.invalid("\(storage.byteCount) bytes for a tensor of shape \(shape), which needs \(needed)")
        }
        self.type = type
        self.shape = shape
        self.storage = storage
    }

    /// - Parameter values: as many as the shape has elements, row-major.
    package init<Scalar: TensorScalar>(_ values: [Scalar], shape: Shape) throws {
        try self.init(zeros: shape, of: Scalar.elementType)
        guard values.count == elementCount else {
            throw ModelError.invalid("\(values.count) values for a tensor of shape \(shape)")
        }
        values.withUnsafeBytes {
            copyBytes($0.count, from: $0.baseAddress ?? UnsafeRawPointer(storage.base), to: storage.base)
        }
    }

    /// One axis.
    package init<Scalar: TensorScalar>(_ values: [Scalar]) throws {
        try self.init(values, shape: [values.count])
    }

    package init<Scalar: TensorScalar>(scalar: Scalar) throws {
        try self.init([scalar], shape: [])
    }

    package var elementCount: Int { shape.elementCount }
    package var byteCount: Int { elementCount * type.size }

    /// The same elements under another shape of as many elements.
    package func reshaped(_ shape: Shape) throws -> Tensor {
        guard try shape.checkedElementCount(type) == elementCount else {
            throw ModelError.invalid("shape \(self.shape) cannot become \(shape)")
        }
        return try Tensor(type, shape: shape, storage: storage)
    }

    /// The elements; nil when they are of another type. Truth values are read as `UInt8`.
    package func values<Scalar: TensorScalar>(as type: Scalar.Type) -> [Scalar]? {
        guard self.type == Scalar.elementType || (self.type == .bool && Scalar.elementType == .uint8) else {
            return nil
        }
        let count = elementCount
        return [Scalar](unsafeUninitializedCapacity: count) { buffer, initialised in
            if let base = buffer.baseAddress, count > 0 {
                copyBytes(byteCount, from: storage.base, to: UnsafeMutableRawPointer(base))
            }
            initialised = count
        }
    }

    /// The elements of a tensor of whole numbers, of whichever size.
    package var integers: [Int]? {
        switch type {
        case .int64: values(as: Int64.self)?.map { Int(clamping: $0) }
        case .int32: values(as: Int32.self)?.map { Int($0) }
        case .int16: values(as: Int16.self)?.map { Int($0) }
        case .int8: values(as: Int8.self)?.map { Int($0) }
        case .uint8, .bool: values(as: UInt8.self)?.map { Int($0) }
        case .uint16: values(as: UInt16.self)?.map { Int($0) }
        case .uint32: values(as: UInt32.self)?.map { Int($0) }
        case .uint64: values(as: UInt64.self)?.map { Int(clamping: $0) }
        default: nil
        }
    }

    /// The elements of a tensor of floats, of whichever size, as 32-bit ones.
    package var floats: [Float]? {
        switch type {
        case .float32: values(as: Float.self)
        case .float64: values(as: Double.self)?.map { Float($0) }
        case .float16: values(as: Float16.self)?.map { Float($0) }
        case .bfloat16: values(as: BFloat16.self)?.map(\.float)
        default: nil
        }
    }

    /// The elements of a tensor of numbers, of whichever kind.
    package var doubles: [Double]? {
        values(as: Double.self) ?? floats?.map { Double($0) } ?? integers?.map { Double($0) }
    }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(storage) { try body(UnsafeRawBufferPointer(start: storage.base, count: byteCount)) }
    }
}
