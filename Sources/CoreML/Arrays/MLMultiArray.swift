/// A multidimensional array of numbers of one type.
///
/// Elements are addressed by one index for each axis, or by a single index in row-major order. Their offsets in memory
/// are given by `strides` (in elements). Indices outside the shape are a programming error and end the process.
///
/// The array does not synchronise access: the caller must not write to it while another thread reads it.
public final class MLMultiArray: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked: layout and type never change; for the numbers see above.
    let layout: MultiArrayLayout
    let memory: PixelMemory

    /// The type of the numbers.
    public let dataType: MLMultiArrayDataType
    /// The length of each axis.
    public var shape: [NSNumber] { layout.shape.map { NSNumber(value: $0) } }
    /// The distance between consecutive indices of each axis, in elements.
    public var strides: [NSNumber] { layout.strides.map { NSNumber(value: $0) } }
    /// The number of elements: the product of the lengths.
    public var count: Int { layout.count }
    /// The address of the first element. Valid while the array is referenced.
    public var dataPointer: UnsafeMutableRawPointer { memory.address }

    /// The buffer whose pixels are the numbers; nil for an array of other memory.
    public let pixelBuffer: CVPixelBuffer?

    init(
        layout: MultiArrayLayout, dataType: MLMultiArrayDataType, memory: PixelMemory,
        pixelBuffer: CVPixelBuffer? = nil
    ) {
        self.pixelBuffer = pixelBuffer
        self.layout = layout
        self.dataType = dataType
        self.memory = memory
        super.init()
    }

    /// Creates an array of zeros.
    ///
    /// - Parameters:
    ///   - shape: The length of each axis; an empty shape has one element.
    ///   - dataType: The type of the numbers.
    /// - Throws: `MLModelError.generic` if a length is negative or memory is short.
    public convenience init(shape: [NSNumber], dataType: MLMultiArrayDataType) throws {
        try self.init(lengths: shape.map(\.intValue), dataType: dataType)
    }

    package convenience init(lengths: [Int], dataType: MLMultiArrayDataType) throws {
        let layout = try MultiArrayLayout(shape: lengths, elementSize: dataType.size)
        let bytes = layout.extent * dataType.size
        guard let memory = PixelMemory(count: bytes) else {
            throw MLModelError(
                .generic, "There is not enough memory for an array of shape \(lengths), which needs \(bytes) bytes.")
        }
        memset(memory.address, 0, bytes)
        self.init(layout: layout, dataType: dataType, memory: memory)
    }

    /// Creates an array over the caller's memory, which is not copied.
    ///
    /// - Parameters:
    ///   - dataPointer: The address of the first element, aligned for the type.
    ///   - shape: The length of each axis.
    ///   - dataType: The type of the numbers.
    ///   - strides: The distance between consecutive indices of each axis, in elements; not negative.
    ///   - deallocator: Called with `dataPointer` when the last reference to the memory is released. Without one the
    ///     memory must outlive the array.
    /// - Throws: `MLModelError.generic` if shape and strides do not match or the pointer is not aligned. The
    ///   deallocator is not called then.
    public convenience init(
        dataPointer: UnsafeMutableRawPointer, shape: [NSNumber], dataType: MLMultiArrayDataType, strides: [NSNumber],
        deallocator: ((UnsafeMutableRawPointer) -> Void)? = nil
    ) throws {
        let layout = try MultiArrayLayout(
            shape: shape.map(\.intValue), strides: strides.map(\.intValue), elementSize: dataType.size)
        guard Int(bitPattern: dataPointer) % dataType.size == 0 else {
            throw MLModelError(
                .generic, "The memory of an array of \(dataType) must be aligned to \(dataType.size) bytes.")
        }
        let memory = PixelMemory(borrowing: dataPointer, count: layout.extent * dataType.size) {
            deallocator?(dataPointer)
        }
        self.init(layout: layout, dataType: dataType, memory: memory)
    }

    /// Creates an array of a copy of a buffer's scalars.
    convenience init<Scalar>(copying buffer: ShapedBuffer<Scalar>) {
        let copy = buffer.contiguousCopy()
        self.init(layout: copy.layout, dataType: Scalar.multiArrayDataType, memory: copy.memory)
    }

    // MARK: - Elements

    /// The element at an index in row-major order.
    public subscript(index: Int) -> NSNumber {
        get {
            precondition(
                (0..<count).contains(index), "The index \(index) is out of range for an array of \(count) elements.")
            return number(at: layout.offset(ofElement: index))
        }
        set {
            precondition(
                (0..<count).contains(index), "The index \(index) is out of range for an array of \(count) elements.")
            store(newValue, at: layout.offset(ofElement: index))
        }
    }

    /// The element at these indices, one for each axis.
    public subscript(key: [NSNumber]) -> NSNumber {
        get { number(at: checkedOffset(key)) }
        set { store(newValue, at: checkedOffset(key)) }
    }

    private func checkedOffset(_ key: [NSNumber]) -> Int {
        let indices = key.map(\.intValue)
        guard let offset = layout.offset(at: indices) else {
            preconditionFailure("The indices \(indices) are out of range for an array of shape \(layout.shape).")
        }
        return offset
    }

    private func number(at offset: Int) -> NSNumber {
        let bytes = offset * dataType.size
        switch dataType {
        case .double: return NSNumber(value: dataPointer.load(fromByteOffset: bytes, as: Double.self))
        case .float32: return NSNumber(value: dataPointer.load(fromByteOffset: bytes, as: Float.self))
        case .float16: return NSNumber(value: Float(dataPointer.load(fromByteOffset: bytes, as: Float16.self)))
        case .int32: return NSNumber(value: dataPointer.load(fromByteOffset: bytes, as: Int32.self))
        }
    }

    private func store(_ value: NSNumber, at offset: Int) {
        let bytes = offset * dataType.size
        switch dataType {
        case .double: dataPointer.storeBytes(of: value.doubleValue, toByteOffset: bytes, as: Double.self)
        case .float32: dataPointer.storeBytes(of: value.floatValue, toByteOffset: bytes, as: Float.self)
        case .float16: dataPointer.storeBytes(of: Float16(value.doubleValue), toByteOffset: bytes, as: Float16.self)
        case .int32: dataPointer.storeBytes(of: value.int32Value, toByteOffset: bytes, as: Int32.self)
        }
    }

    // MARK: - Archives and equality

    /// Arrays support secure coding.
    public static var supportsSecureCoding: Bool { true }

    /// Encodes type, shape and numbers.
    public func encode(with coder: NSCoder) {
        coder.encode(dataType.rawValue, forKey: "dataType")
        coder.encode(layout.shape.map(String.init).joined(separator: ",") as NSString, forKey: "shape")
        coder.encode(packedData as NSData, forKey: "data")
    }

    /// Decodes an array; nil if the archive holds none.
    public convenience init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding,
            let dataType = MLMultiArrayDataType(rawValue: coder.decodeInteger(forKey: "dataType")),
            let shape = coder.decodeObject(of: NSString.self, forKey: "shape"),
            let data = coder.decodeObject(of: NSData.self, forKey: "data")
        else { return nil }
        let lengths = (shape as String).split(separator: ",").map { Int($0) ?? -1 }
        self.init(lengths: lengths, dataType: dataType, packedData: data as Data)
    }

    /// Creates an array of consecutive numbers; nil for the wrong number of bytes.
    package convenience init?(lengths: [Int], dataType: MLMultiArrayDataType, packedData data: Data) {
        guard let layout = try? MultiArrayLayout(shape: lengths, elementSize: dataType.size),
            data.count == layout.count * dataType.size
        else { return nil }
        try? self.init(lengths: lengths, dataType: dataType)
        data.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { dataPointer.copyMemory(from: base, byteCount: bytes.count) }
        }
    }

    /// The numbers in row-major order.
    package var packedData: Data {
        let size = dataType.size
        if layout.isContiguous { return Data(bytes: dataPointer, count: count * size) }
        var data = Data(capacity: count * size)
        for index in 0..<count {
            data.append(
                (dataPointer + layout.offset(ofElement: index) * size).assumingMemoryBound(to: UInt8.self), count: size)
        }
        return data
    }

    /// Returns whether the other object is an array of the same type and shape with bitwise equal numbers.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MLMultiArray else { return false }
        return other === self
            || other.dataType == dataType && other.layout.shape == layout.shape && other.packedData == packedData
    }

    /// Equal arrays have equal hashes.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(dataType)
        hasher.combine(layout.shape)
        return hasher.finalize()
    }

    /// The type and shape, and the numbers if they are few.
    public override var description: String {
        let numbers = count <= 16 ? " [" + (0..<count).map { "\(self[$0])" }.joined(separator: ", ") + "]" : ""
        return "\(dataType) \(layout.shape.map(String.init).joined(separator: " × "))\(numbers)"
    }
}
