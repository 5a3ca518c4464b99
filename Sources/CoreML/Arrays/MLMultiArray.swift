/// Numbers of one type in an array of any number of axes.
///
/// Elements are addressed by one index for each axis, or by a single index that counts them with the last axis running
/// fastest. In memory they lie where `strides` (in elements) says. Indices outside the shape are a programming error and
/// end the process.
///
/// Writing to an array while another thread reads it is the caller's to prevent, as with any array of C.
public final class MLMultiArray: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked: layout and type never change; the numbers belong to whoever writes them, see above.
    let layout: MultiArrayLayout
    private let memory: PixelMemory

    /// The type of the numbers.
    public let dataType: MLMultiArrayDataType
    /// The length of each axis.
    public var shape: [NSNumber] { layout.shape.map { NSNumber(value: $0) } }
    /// How many elements lie from one index to the next along each axis.
    public var strides: [NSNumber] { layout.strides.map { NSNumber(value: $0) } }
    /// The number of elements: the product of the lengths.
    public var count: Int { layout.count }
    /// The first element. Valid while the array is referenced.
    public var dataPointer: UnsafeMutableRawPointer { memory.address }

    private init(layout: MultiArrayLayout, dataType: MLMultiArrayDataType, memory: PixelMemory) {
        self.layout = layout
        self.dataType = dataType
        self.memory = memory
        super.init()
    }

    /// An array of zeros.
    ///
    /// - Parameters:
    ///   - shape: The length of each axis; none makes an array of one element.
    ///   - dataType: The type of the numbers.
    /// - Throws: `MLModelError.generic` when a length is negative or there is no memory for the array.
    public convenience init(shape: [NSNumber], dataType: MLMultiArrayDataType) throws {
        try self.init(lengths: shape.map(\.intValue), dataType: dataType)
    }

    package convenience init(lengths: [Int], dataType: MLMultiArrayDataType) throws {
        let layout = try MultiArrayLayout(shape: lengths, elementSize: dataType.size)
        let bytes = layout.extent * dataType.size
        guard let memory = PixelMemory(count: bytes) else {
            throw MLModelError(.generic, "There is no memory for an array of shape \(lengths), \(bytes) bytes.")
        }
        memset(memory.address, 0, bytes)
        self.init(layout: layout, dataType: dataType, memory: memory)
    }

    /// An array over memory of the caller's, which is not copied.
    ///
    /// - Parameters:
    ///   - dataPointer: The first element, aligned for the type.
    ///   - shape: The length of each axis.
    ///   - dataType: The type of the numbers.
    ///   - strides: How many elements lie from one index to the next along each axis; not negative.
    ///   - deallocator: Called with `dataPointer` when the last user of the memory lets go. Without one the memory must
    ///     outlive the array.
    /// - Throws: `MLModelError.generic` when shape and strides do not fit together or the pointer is not aligned. The
    ///   deallocator is not called then.
    public convenience init(
        dataPointer: UnsafeMutableRawPointer, shape: [NSNumber], dataType: MLMultiArrayDataType, strides: [NSNumber],
        deallocator: ((UnsafeMutableRawPointer) -> Void)? = nil
    ) throws {
        let layout = try MultiArrayLayout(
            shape: shape.map(\.intValue), strides: strides.map(\.intValue), elementSize: dataType.size)
        guard Int(bitPattern: dataPointer) % dataType.size == 0 else {
            throw MLModelError(.generic, "The memory of an array of \(dataType) must begin where one may lie.")
        }
        let memory = PixelMemory(borrowing: dataPointer, count: layout.extent * dataType.size) {
            deallocator?(dataPointer)
        }
        self.init(layout: layout, dataType: dataType, memory: memory)
    }

    // MARK: - Elements

    /// The element at that place, counted with the last axis running fastest.
    public subscript(index: Int) -> NSNumber {
        get {
            precondition((0..<count).contains(index), "The index \(index) is not one of an array of \(count) elements.")
            return number(at: layout.offset(ofElement: index))
        }
        set {
            precondition((0..<count).contains(index), "The index \(index) is not one of an array of \(count) elements.")
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
            preconditionFailure("The indices \(indices) are not those of an array of shape \(layout.shape).")
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

    /// Arrays can be read from archives that are not trusted.
    public static var supportsSecureCoding: Bool { true }

    /// Writes type, shape and numbers.
    public func encode(with coder: NSCoder) {
        coder.encode(dataType.rawValue, forKey: "dataType")
        coder.encode(layout.shape.map(String.init).joined(separator: ",") as NSString, forKey: "shape")
        coder.encode(packedData as NSData, forKey: "data")
    }

    /// Reads an array; nil when the archive holds none.
    public convenience init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding,
            let dataType = MLMultiArrayDataType(rawValue: coder.decodeInteger(forKey: "dataType")),
            let shape = coder.decodeObject(of: NSString.self, forKey: "shape"),
            let data = coder.decodeObject(of: NSData.self, forKey: "data")
        else { return nil }
        let lengths = (shape as String).split(separator: ",").map { Int($0) ?? -1 }
        self.init(lengths: lengths, dataType: dataType, packedData: data as Data)
    }

    /// An array of numbers that lie one after another; nil when there are too few or too many bytes.
    package convenience init?(lengths: [Int], dataType: MLMultiArrayDataType, packedData data: Data) {
        guard let layout = try? MultiArrayLayout(shape: lengths, elementSize: dataType.size),
            data.count == layout.count * dataType.size
        else { return nil }
        try? self.init(lengths: lengths, dataType: dataType)
        data.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { dataPointer.copyMemory(from: base, byteCount: bytes.count) }
        }
    }

    /// The numbers one after another, the last axis running fastest.
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

    /// Whether the other object is an array of the same type and shape with the same numbers, bit by bit.
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

    /// Type and shape, and the numbers where they are few.
    public override var description: String {
        let numbers = count <= 16 ? " [" + (0..<count).map { "\(self[$0])" }.joined(separator: ", ") + "]" : ""
        return "\(dataType) \(layout.shape.map(String.init).joined(separator: " × "))\(numbers)"
    }
}
