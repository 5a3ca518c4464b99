/// Reads Python pickles of tensors. It supports only the operations for plain values, containers and tensors, and the
/// names of `PickleGlobal`; it executes nothing, and rejects everything else with its name.
///
/// Source: the comments of Python's pickletools, torch/serialization.py's written form.
struct PickleReader {
    /// Far more than a checkpoint of thousands of tensors takes.
    private static let operationLimit = 4_000_000
    /// Elements of a storage: what follows may multiply this by an element's bytes.
    private static let storageLimit = 1 << 48

    private(set) var heap = PickleHeap()
    private var cursor: ByteCursor
    private var stack: [PickleValue] = []
    private var marks: [Int] = []
    private var memo: [Int: PickleValue] = [:]

    init(_ bytes: ArraySlice<UInt8>) {
        cursor = ByteCursor(bytes, name: "the checkpoint")
    }

    /// The offset after the pickle.
    var position: Int { cursor.position }

    /// Reads one pickle to its end. The values of earlier ones stay in the heap.
    mutating func read() throws -> PickleValue {
        stack = []
        marks = []
        memo = [:]
        for _ in 0..<Self.operationLimit {
            let operation = try cursor.byte()
            if operation == UInt8(ascii: ".") { return try pop() }
            try perform(operation)
        }
        throw WeightFileError(.damaged, "the checkpoint has more operations than one of tensors can need")
    }

    private mutating func perform(_ operation: UInt8) throws {
        switch operation {
        case 0x80: try cursor.skip(1)  // PROTO
        case 0x95: try cursor.skip(8)  // FRAME
        case UInt8(ascii: "("): marks.append(stack.count)
        case UInt8(ascii: "0"): _ = try pop()
        case UInt8(ascii: "1"): _ = try popToMark()

        case UInt8(ascii: "N"): stack.append(.none)
        case 0x88: stack.append(.bool(true))
        case 0x89: stack.append(.bool(false))
        case UInt8(ascii: "J"):
            stack.append(.integer(Int(Int32(bitPattern: try cursor.unsigned(UInt32.self)))))
        case UInt8(ascii: "K"): stack.append(.integer(Int(try cursor.byte())))
        case UInt8(ascii: "M"): stack.append(.integer(Int(try cursor.unsigned(UInt16.self))))
        case 0x8a: stack.append(Self.integer(try cursor.take(Int(try cursor.byte()))))  // LONG1
        case UInt8(ascii: "G"):
            stack.append(.real(Double(bitPattern: try cursor.unsigned(UInt64.self).byteSwapped)))
        case UInt8(ascii: "X"): stack.append(.text(try cursor.text(try cursor.length(UInt32.self))))
        case 0x8c: stack.append(.text(try cursor.text(Int(try cursor.byte()))))  // SHORT_BINUNICODE
        case UInt8(ascii: "T"): stack.append(.text(try cursor.text(try cursor.length(UInt32.self))))
        case UInt8(ascii: "U"): stack.append(.text(try cursor.text(Int(try cursor.byte()))))

        case UInt8(ascii: ")"): stack.append(heap.tuple([]))
        case 0x85: try makeTuple(1)
        case 0x86: try makeTuple(2)
        case 0x87: try makeTuple(3)
        case UInt8(ascii: "t"): stack.append(heap.tuple(try popToMark()))
        case UInt8(ascii: "]"): stack.append(heap.emptyList())
        case UInt8(ascii: "}"): stack.append(heap.emptyDictionary())
        case UInt8(ascii: "a"): try heap.append([try pop()], to: try top())
        case UInt8(ascii: "e"): try heap.append(try popToMark()[...], to: try top())
        case UInt8(ascii: "s"):
            let (value, key) = (try pop(), try pop())
            try heap.set([key, value], in: try top())
        case UInt8(ascii: "u"): try heap.set(try popToMark()[...], in: try top())

        case UInt8(ascii: "q"): memo[Int(try cursor.byte())] = try top()
        case UInt8(ascii: "r"): memo[try cursor.length(UInt32.self)] = try top()
        case 0x94: memo[memo.count] = try top()  // MEMOIZE
        case UInt8(ascii: "h"): stack.append(try remembered(Int(try cursor.byte())))
        case UInt8(ascii: "j"): stack.append(try remembered(try cursor.length(UInt32.self)))

        case UInt8(ascii: "c"): try pushGlobal(module: try line(), name: try line())
        case 0x93:  // STACK_GLOBAL
            guard case (.text(let name), .text(let module)) = (try pop(), try pop()) else {
                throw WeightFileError(.damaged, "the checkpoint has something else where a name belongs")
            }
            try pushGlobal(module: module, name: name)
        case UInt8(ascii: "Q"): stack.append(.storage(try storage(try pop())))
        case UInt8(ascii: "R"):
            let (arguments, callee) = (try pop(), try pop())
            stack.append(try result(of: callee, try heap.items(ofTuple: arguments)))
        case UInt8(ascii: "b"):
            // An ordered dictionary's attributes: torch keeps version numbers there, nothing that a tensor needs.
            _ = try pop()
            guard case .dictionary = try top() else {
                throw WeightFileError(
                    .refused, "the checkpoint sets the attributes of something else than a dictionary")
            }
        default:
            let code = String(operation, radix: 16)
            throw WeightFileError(.refused, "the checkpoint uses pickle operation 0x\(code), which tensors do not need")
        }
    }

    // MARK: The stack

    private mutating func pop() throws -> PickleValue {
        guard stack.count > marks.last ?? 0, let value = stack.popLast() else { throw Self.unbalanced }
        return value
    }

    private func top() throws -> PickleValue {
        guard stack.count > marks.last ?? 0, let value = stack.last else { throw Self.unbalanced }
        return value
    }

    private mutating func popToMark() throws -> [PickleValue] {
        guard let mark = marks.popLast() else { throw Self.unbalanced }
        let items = Array(stack[mark...])
        stack.removeSubrange(mark...)
        return items
    }

    private mutating func makeTuple(_ count: Int) throws {
        guard stack.count - (marks.last ?? 0) >= count else { throw Self.unbalanced }
        let items = Array(stack.suffix(count))
        stack.removeLast(count)
        stack.append(heap.tuple(items))
    }

    private func remembered(_ index: Int) throws -> PickleValue {
        guard let value = memo[index] else { throw Self.unbalanced }
        return value
    }

    private static let unbalanced = WeightFileError(.damaged, "the checkpoint takes values that it did not store")

    // MARK: Values

    private mutating func line() throws -> String {
        guard let text = String(validating: try cursor.line(), as: UTF8.self) else {
            throw WeightFileError(.damaged, "the checkpoint holds text that is not UTF-8")
        }
        return text
    }

    private mutating func pushGlobal(module: String, name: String) throws {
        stack.append(.global(try PickleGlobal(module: module, name: name)))
    }

    /// A two's complement number of any width.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> PickleValue {
        guard bytes.count <= 8 else { return .wideInteger(Array(bytes)) }
        let isNegative = (bytes.last ?? 0) & 0x80 != 0
        let bits = bytes.reversed().reduce(isNegative ? UInt64.max : 0) { $0 << 8 | UInt64($1) }
        return .integer(Int(Int64(bitPattern: bits)))
    }

    /// ("storage", class, key, location, count) and, in old files, the view of another storage: None.
    private func storage(_ identifier: PickleValue) throws -> TorchStorageKey {
        let parts = try heap.items(ofTuple: identifier)
        guard parts.count == 5 || (parts.count == 6 && parts[5] == .none),
            case (.text("storage"), .global(.storage(let element)), .text(let key)) = (parts[0], parts[1], parts[2]),
            case .integer(let count) = parts[4], (0...Self.storageLimit).contains(count)
        else { throw WeightFileError(.unsupported, "the checkpoint keeps numbers in a way that is not known") }
        return TorchStorageKey(key: key, element: element, count: count)
    }

    private mutating func result(of callee: PickleValue, _ arguments: [PickleValue]) throws -> PickleValue {
        switch callee {
        case .global(.orderedDictionary) where arguments.isEmpty:
            return heap.emptyDictionary()
        case .global(.rebuildParameter):
            if case .tensor? = arguments.first { return arguments[0] }
        case .global(.rebuildTensor) where arguments.count >= 4:
            if case (.storage(let storage), .integer(let offset)) = (arguments[0], arguments[1]) {
                return .tensor(
                    try TorchTensorLayout(
                        storage: storage, offset: offset, shape: try heap.integers(ofTuple: arguments[2]),
                        strides: try heap.integers(ofTuple: arguments[3])))
            }
        default: break
        }
        throw WeightFileError(.refused, "the checkpoint calls something in a way that tensors do not need")
    }
}
