/// The supported values of a pickle: plain values, and tensors by description. Containers are indices into a
/// `PickleHeap`, so that no file can build a chain of references that is too deep to be released.
enum PickleValue: Equatable {
    case none
    case bool(Bool)
    case integer(Int)
    /// An integer wider than 64 bits: its little-endian bytes.
    case wideInteger([UInt8])
    case real(Double)
    case text(String)
    case tuple(Int)
    case list(Int)
    case dictionary(Int)
    case global(PickleGlobal)
    case storage(TorchStorageKey)
    case tensor(TorchTensorLayout)
}

/// The names that a pickle of tensors may refer to. No other name can be represented or called.
enum PickleGlobal: Equatable {
    case orderedDictionary
    case rebuildTensor
    case rebuildParameter
    case storage(TorchElement)

    /// - Throws: `WeightFileError` of kind `refused` for every other name.
    init(module: String, name: String) throws {
        switch (module, name) {
        case ("collections", "OrderedDict"): self = .orderedDictionary
        case ("torch._utils", "_rebuild_tensor_v2"): self = .rebuildTensor
        case ("torch._utils", "_rebuild_parameter"): self = .rebuildParameter
        case ("torch", _):
            guard let element = TorchElement(storageClass: name) else { fallthrough }
            self = .storage(element)
        default:
            throw WeightFileError(
                .refused, "the checkpoint asks for \(module).\(name), which only running it would give")
        }
    }
}

/// Number types of torch's storages.
package enum TorchElement: String, Equatable, Sendable {
    case float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8, bool

    init?(storageClass: String) {
        switch storageClass {
        case "FloatStorage": self = .float32
        case "DoubleStorage": self = .float64
        case "HalfStorage": self = .float16
        case "BFloat16Storage": self = .bfloat16
        case "LongStorage": self = .int64
        case "IntStorage": self = .int32
        case "ShortStorage": self = .int16
        case "CharStorage": self = .int8
        case "ByteStorage": self = .uint8
        case "BoolStorage": self = .bool
        default: return nil
        }
    }

    var size: Int {
        switch self {
        case .float64, .int64: 8
        case .float32, .int32: 4
        case .float16, .bfloat16, .int16: 2
        case .int8, .uint8, .bool: 1
        }
    }
}

/// The storage of a tensor.
struct TorchStorageKey: Hashable {
    let key: String
    let element: TorchElement
    /// Elements, not bytes.
    let count: Int
}

/// The layout of a tensor in its storage, in elements.
struct TorchTensorLayout: Equatable {
    let storage: TorchStorageKey
    let offset: Int
    let shape: [Int]
    let strides: [Int]

    static let largestRank = 8

    /// - Throws: `WeightFileError` when an element would lie outside the storage, or the tensor has more elements than
    ///   it.
    init(storage: TorchStorageKey, offset: Int, shape: [Int], strides: [Int]) throws {
        guard shape.count == strides.count, shape.count <= Self.largestRank, offset >= 0, storage.count >= 0,
            (shape + strides).allSatisfy({ (0...0x7FFF_FFFF).contains($0) })
        else { throw WeightFileError(.damaged, "a tensor of the checkpoint has an impossible shape") }
        var (last, count) = (offset, 1)
        for (size, stride) in zip(shape, strides) {
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            let (furthest, tooFar) = last.addingReportingOverflow(max(0, size - 1) * stride)
            guard !overflow, !tooFar else {
                throw WeightFileError(.damaged, "a tensor of the checkpoint has an impossible shape")
            }
            (count, last) = (product, furthest)
        }
        guard count <= storage.count, count == 0 || last < storage.count else {
            throw WeightFileError(.damaged, "a tensor of the checkpoint does not fit its storage")
        }
        self.storage = storage
        self.offset = offset
        self.shape = shape
        self.strides = strides
    }
}
