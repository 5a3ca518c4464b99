import Foundation

/// The text of a compiled ML program (`model.mil`), written as the message that a specification has (MIL.proto), so
/// that both are imported by the same code.
enum ProgramText {
    /// The message `Program`, and the function that is run.
    static func program(_ bytes: ModelBytes) throws -> (message: Data, main: Function) {
        var parser = ProgramTextParser(try ProgramTextTokens(bytes))
        let functions = try parser.program()
        guard let main = functions.first(where: { $0.name == "main" }) ?? functions.first else {
            throw ModelError.damaged("a program without functions")
        }
        var writer = ProtobufWriter()
        writer.int(1, 1)
        for function in functions {
            writer.message(2) { entry in
                entry.string(1, function.name)
                entry.append(2, function.message)
            }
        }
        return (writer.data, main)
    }

    /// What is written between two names: `func main<ios16>(…) { … } -> (…)`.
    struct Function {
        var name: String
        /// As the message of its kind has them.
        var message: ProtobufWriter
        var inputs: [(name: String, type: ProgramTextType)]
        var outputs: [(name: String, type: ProgramTextType?)]
    }
}

/// A type as the text has it.
indirect enum ProgramTextType {
    /// nil for a size that is open.
    case tensor(element: Int, shape: [Int?])
    case list(ProgramTextType, length: Int?)
    case dictionary(key: ProgramTextType, value: ProgramTextType)
    case state(ProgramTextType)
    case tuple

    /// Numbers of the specification's `DataType`.
    static let elements = [
        "bool": 1, "string": 2, "fp8e4m3fn": 3, "fp8e5m2": 4, "fp16": 10, "fp32": 11, "fp64": 12, "bf16": 13,
        "int8": 21, "int16": 22, "int32": 23, "int64": 24, "int4": 25, "uint8": 31, "uint16": 32, "uint32": 33,
        "uint64": 34, "uint4": 35, "uint2": 36, "uint1": 37, "uint6": 38, "uint3": 39,
    ]

    /// Whether a value of it can be written with the elements of a tensor.
    var hasElements: Bool {
        switch self {
        case .tensor, .list: true
        case .dictionary, .state, .tuple: false
        }
    }

    static func isType(_ word: String) -> Bool {
        elements[word] != nil || ["tensor", "list", "dict", "state", "tuple"].contains(word)
    }

    /// Writes the message `ValueType`.
    func write(to writer: inout ProtobufWriter) {
        switch self {
        case .tensor(let element, let shape):
            writer.message(1) { tensor in
                tensor.int(1, Int64(element))
                tensor.int(2, Int64(shape.count))
                for size in shape {
                    tensor.message(3) { dimension in
                        guard let size else { return dimension.message(2) { _ in } }
                        dimension.message(1) { $0.int(1, Int64(size)) }
                    }
                }
            }
        case .list(let type, _): writer.message(2) { list in list.message(1) { type.write(to: &$0) } }
        case .dictionary(let key, let value):
            writer.message(4) { dictionary in
                dictionary.message(1) { key.write(to: &$0) }
                dictionary.message(2) { value.write(to: &$0) }
            }
        case .state(let type): writer.message(5) { state in state.message(1) { type.write(to: &$0) } }
        case .tuple: writer.message(3) { _ in }
        }
    }
}
