/// A value that an ML program states (`Value` of MIL.proto).
enum ProgramValue: Sendable {
    case tensor(Tensor)
    case strings([String])
    /// Elements of fewer than eight bits, each as a byte, and their number of bits.
    case packed(Tensor, bits: Int, isSigned: Bool)

    /// The tensor, whatever its elements were packed to.
    var tensor: Tensor? {
        switch self {
        case .tensor(let tensor), .packed(let tensor, _, _): tensor
        case .strings: nil
        }
    }

    /// - Parameters:
    ///   - files: opens files with weights.
    ///   - isElement: it is in a list, which has no lists in it.
    init(_ message: ProtobufMessage, _ files: ProgramFiles, isElement: Bool = false) throws {
        guard let type = try message.message(2) else { throw ModelError.damaged("a value without a type") }
        if let blob = try message.message(5) {
            guard let tensor = try type.message(1) else { throw ModelError.unsupported("a list in a file of weights") }
            let data = try files.blob(blob.string(1), at: blob.int(2))
            self = try Self(ProgramType(tensor), data)
            return
        }
        guard let immediate = try message.message(3) else { throw ModelError.damaged("a value without elements") }
        if let list = try immediate.message(3) {
            // Lists hold the labels of classes.
            guard !isElement else { throw ModelError.unsupported("a list of lists") }
            let values = try list.messages(1).map { try ProgramValue($0, files, isElement: true) }
            let strings = values.flatMap { value -> [String] in
                if case .strings(let texts) = value { texts } else { [] }
            }
            let numbers = values.flatMap { $0.tensor?.integers ?? [] }
            guard strings.count == values.count || numbers.count == values.count else {
                throw ModelError.unsupported("a list of other values than texts or whole numbers")
            }
            self = strings.count == values.count ? .strings(strings) : .tensor(try Tensor(numbers.map { Int64($0) }))
            return
        }
        guard let tensor = try type.message(1), let value = try immediate.message(1) else {
            throw ModelError.unsupported("a value that is neither a tensor nor a list")
        }
        self = try Self(immediate: value, ProgramType(tensor))
    }

    // MARK: Elements in the program

    private init(immediate value: ProtobufMessage, _ type: ProgramType) throws {
        if type.number == ProgramType.string {
            self = .strings(try value.message(4)?.strings(1) ?? [])
            return
        }
        let element = try type.element()
        let shape = try type.fixedShape()
        let count = try shape.checkedElementCount(element)
        if let bytes = try value.message(7)?.slice(1) {
            if let bits = type.bits {
                self = try Self(packed: bytes, bits: bits, isSigned: type.isSignedPacked, shape)
                return
            }
            guard bytes.count == count * element.size else {
                throw ModelError.damaged("\(bytes.count) bytes for a tensor of shape \(shape)")
            }
            self = try .tensor(Self.stored(bytes, element, shape))
            return
        }
        guard let kind = value.first(in: 1...6), let list = try value.message(kind) else {
            guard count == 0 else { throw ModelError.damaged("a tensor of shape \(shape) without elements") }
            self = .tensor(try Tensor(zeros: shape, of: element))
            return
        }
        func check(_ found: Int) throws {
            guard found == count else { throw ModelError.damaged("\(found) elements for a tensor of shape \(shape)") }
        }
        switch kind {
        case 1:
            let floats = try list.floats(1)
            try check(floats.count)
            self = .tensor(try Tensor(floats, shape: shape))
        case 6:
            let doubles = try list.doubles(1)
            try check(doubles.count)
            self = .tensor(try Tensor(doubles.map { Float($0) }, shape: shape))
        case 2, 3, 5:
            let numbers = try list.ints(1)
            try check(numbers.count)
            if element == .bool {
                let bytes = try Tensor(numbers.map { UInt8($0 == 0 ? 0 : 1) }, shape: shape)
                self = .tensor(try Tensor(.bool, shape: shape, storage: bytes.storage))
            } else {
                self = .tensor(
                    try Tensor(numbers.map { Int32(clamping: Int64(Int32(truncatingIfNeeded: $0))) }, shape: shape))
            }
        default: throw ModelError.unsupported("texts where numbers are expected")
        }
    }

    // MARK: Elements in a file

    private init(_ type: ProgramType, _ blob: CoreMLBlobFile.Blob) throws {
        let shape = try type.fixedShape()
        if let bits = type.bits {
            guard blob.type.bits == bits else {
                throw ModelError.damaged("a file has elements of \(blob.type.bits) bits, and the program of \(bits)")
            }
            self = try Self(packed: blob.elements, bits: bits, isSigned: type.isSignedPacked, shape)
            return
        }
        let element = try type.element()
        guard blob.type.bits == element.size * 8,
            blob.elements.count == (try shape.checkedElementCount(element)) * element.size
        else {
            throw ModelError.damaged(
                "a file has \(blob.elements.count) bytes for a tensor of shape \(shape) and type \(element)")
        }
        self = .tensor(try Self.stored(blob.elements, element, shape))
    }

    private init(packed bytes: ModelSlice, bits: Int, isSigned: Bool, _ shape: Shape) throws {
        let count = try shape.checkedElementCount(.float32)
        guard bytes.count == (count * bits + 7) / 8 else {
            throw ModelError.damaged("\(count) elements of \(bits) bits in \(bytes.count) bytes")
        }
        let values = PackedIntegers.unpack(bytes, bits: bits, count: count, order: .leastSignificantFirst)
        let tensor =
            isSigned
            ? try Tensor(values.map { Int8(bitPattern: $0 << UInt8(8 - bits)) >> Int8(8 - bits) }, shape: shape)
            : try Tensor(values, shape: shape)
        self = .packed(tensor, bits: bits, isSigned: isSigned)
    }

    /// Half floats become floats: everything is computed in 32 bits.
    private static func stored(_ bytes: ModelSlice, _ element: ElementType, _ shape: Shape) throws -> Tensor {
        let storage = bytes.withBytes { raw in
            Int(bitPattern: raw.baseAddress) % 8 == 0
                ? TensorStorage(borrowing: raw, from: bytes.bytes) : TensorStorage(copying: raw)
        }
        let tensor = try Tensor(element, shape: shape, storage: storage)
        switch element {
        case .float16: return try tensor.widened()
        case .float64, .bfloat16: return try Tensor(tensor.floats ?? [], shape: shape)
        default: return tensor
        }
    }
}

/// The type of a tensor (`TensorType`).
struct ProgramType: Sendable {
    static let string = 2

    let number: Int
    /// nil for a size that is open.
    let shape: [Int?]

    init(_ message: ProtobufMessage) throws {
        number = try message.int(1)
        shape = try message.messages(3).map { try $0.message(1).map { try $0.int(1) } }
        guard shape.count <= ModelLimits.rank,
            shape.allSatisfy({ $0.map { (0...Int(Int32.max)).contains($0) } ?? true })
        else { throw ModelError.damaged("a tensor of shape \(shape.map { $0 ?? -1 })") }
    }

    /// The type of a value that is a tensor; nil for other values.
    init?(value: ProtobufMessage?) throws {
        guard let tensor = try value?.message(1) else { return nil }
        try self.init(tensor)
    }

    func fixedShape() throws -> Shape {
        let fixed = shape.compactMap { $0 }
        guard fixed.count == shape.count else { throw ModelError.damaged("a constant of an open shape") }
        return fixed
    }

    /// Bits of elements that fill no byte.
    var bits: Int? { [25: 4, 35: 4, 36: 2, 37: 1, 38: 6, 39: 3][number] }
    var isSignedPacked: Bool { number == 25 }

    /// As it is stored.
    func element() throws -> ElementType {
        let types: [Int: ElementType] = [
            1: .bool, 10: .float16, 11: .float32, 12: .float64, 13: .bfloat16, 21: .int8, 22: .int16, 23: .int32,
            24: .int64, 25: .int8, 31: .uint8, 32: .uint16, 33: .uint32, 34: .uint64, 35: .uint8, 36: .uint8,
            37: .uint8, 38: .uint8, 39: .uint8,
        ]
        guard let type = types[number] else { throw ModelError.unsupported("elements of type \(number)") }
        return type
    }

    /// As it is computed: floats of all sizes in 32 bits.
    func computed() throws -> ElementType {
        let element = try element()
        return element.isFloat ? .float32 : element
    }
}
