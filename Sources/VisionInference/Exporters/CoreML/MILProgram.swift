import Foundation

/// An ML program that is being put together (MIL.proto): the operations of its only function.
///
/// Tensors of ten elements and more go to the file of weights at once; everything else is kept until the program is
/// written.
final class MILProgram {
    /// What is fed to a parameter of an operation.
    enum Argument {
        case value(MILReference)
        case values([MILReference])
        case int(Int)
        case ints([Int])
        case float(Float)
        case bool(Bool)
        case bools([Bool])
        case text(String)
    }

    static let opset = "CoreML6"
    /// The version of the specification that introduced this operator set (iOS 16, macOS 13).
    static let specificationVersion: Int64 = 7
    /// Axes that a value may have.
    static let largestRank = 5
    private static let smallestBlob = 10

    private struct Operation {
        var type: String
        var inputs: [(name: String, values: [String])]
        var outputs: [MILReference]
        /// Of a constant.
        var value: MILValue?
        /// The labels of `classify`.
        var labels: MILValue?
    }

    /// Weights and results are half floats.
    let usesHalf: Bool
    private let weights: CoreMLBlobWriter
    private var operations: [Operation] = []
    private var names: Set<String> = []
    /// Names of what operations make.
    private var results: Set<String> = []
    private var renamed: [String: String] = [:]
    private var literals: [MILLiteral: MILReference] = [:]

    private struct MILLiteral: Hashable {
        var type: MILType
        var value: MILValue
    }

    init(usesHalf: Bool, weights: CoreMLBlobWriter) {
        self.usesHalf = usesHalf
        self.weights = weights
    }

    /// What floats are.
    var float: MILElement { usesHalf ? .float16 : .float32 }

    /// What elements of the engine are in the program: it has whole numbers of 32 bits only.
    func element(_ type: ElementType) -> MILElement {
        type.isFloat ? float : type == .bool ? .bool : .int32
    }

    // MARK: Names

    /// A name that the program does not have yet, made of letters, digits and underscores.
    func name(_ wanted: String) -> String {
        var base = String(wanted.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        if base.isEmpty || base.first?.isNumber == true { base = "_" + base }
        var result = base
        var number = 1
        while !names.insert(result).inserted {
            result = "\(base)_\(number)"
            number += 1
        }
        return result
    }

    /// Gives the result of an operation another name.
    func rename(_ reference: MILReference, to name: String) {
        renamed[reference.name] = name
    }

    /// Whether an operation makes a value, as opposed to an input or a constant.
    func isResult(_ reference: MILReference) -> Bool { results.contains(reference.name) }

    // MARK: Constants

    /// A constant of the engine; floats in the program's own type.
    func constant(_ tensor: Tensor, name wanted: String) throws -> MILReference {
        let type = MILType(element(tensor.type), tensor.shape)
        switch type.element {
        case .float32, .float16:
            guard let values = tensor.floats else { throw ModelError.invalid("elements of type \(tensor.type)") }
            return try floats(values, type, wanted)
        case .bool:
            return literal(.bools((tensor.integers ?? []).map { $0 != 0 }), type, wanted)
        default:
            let values = try (tensor.integers ?? []).map { number in
                guard let small = Int32(exactly: number) else {
                    throw ModelError.unsupported("ML programs have whole numbers of 32 bits, and this has \(number)")
                }
                return small
            }
            return literal(.ints(values), type, wanted)
        }
    }

    private func floats(_ values: [Float], _ type: MILType, _ wanted: String) throws -> MILReference {
        let halves = usesHalf ? values.map { Self.half($0).bitPattern } : []
        guard values.count >= Self.smallestBlob else {
            return literal(usesHalf ? .halves(halves) : .floats(values), type, wanted)
        }
        let data =
            usesHalf
            ? halves.map(\.littleEndian).withUnsafeBytes { Data($0) }
            : values.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
        let offset = try weights.append(usesHalf ? .float16 : .float32, data)
        return appendConstant(.blob(offset: offset), type, wanted)
    }

    /// The nearest half float. Finite numbers stay finite: masks have the most negative float.
    private static func half(_ value: Float) -> Float16 {
        let half = Float16(value)
        return half.isInfinite && value.isFinite
            ? (value > 0 ? Float16.greatestFiniteMagnitude : -Float16.greatestFiniteMagnitude) : half
    }

    /// A constant that is stated in the program, once however often it is asked for.
    private func literal(_ value: MILValue, _ type: MILType, _ wanted: String) -> MILReference {
        let key = MILLiteral(type: type, value: value)
        if let known = literals[key] { return known }
        let reference = appendConstant(value, type, wanted)
        literals[key] = reference
        return reference
    }

    private func appendConstant(_ value: MILValue, _ type: MILType, _ wanted: String) -> MILReference {
        let reference = MILReference(name: name(wanted), type: type)
        operations.append(Operation(type: "const", inputs: [], outputs: [reference], value: value))
        return reference
    }

    /// The values that an argument stands for.
    private func references(_ argument: Argument, _ wanted: String) throws -> [MILReference] {
        switch argument {
        case .value(let value): return [value]
        case .values(let values): return values
        case .int(let number): return [literal(.ints([try small(number)]), MILType(.int32, []), wanted)]
        case .ints(let numbers):
            return [literal(.ints(try numbers.map { try small($0) }), MILType(.int32, [numbers.count]), wanted)]
        case .float(let number):
            let value: MILValue = usesHalf ? .halves([Self.half(number).bitPattern]) : .floats([number])
            return [literal(value, MILType(float, []), wanted)]
        case .bool(let flag): return [literal(.bools([flag]), MILType(.bool, []), wanted)]
        case .bools(let flags): return [literal(.bools(flags), MILType(.bool, [flags.count]), wanted)]
        case .text(let text): return [literal(.text(text), MILType(.string, []), wanted)]
        }
    }

    private func small(_ number: Int) throws -> Int32 {
        guard let small = Int32(exactly: number) else { throw ModelError.tooLarge("a parameter of \(number)") }
        return small
    }

    // MARK: Operations

    /// Appends an operation.
    ///
    /// - Returns: Its results.
    func append(
        _ type: String, _ arguments: [(String, Argument)], _ results: [MILType], name wanted: String
    ) throws -> [MILReference] {
        guard operations.count < ModelLimits.nodes else {
            throw ModelError.tooLarge("more operations than can be read")
        }
        let inputs = try arguments.map { key, argument in
            (name: key, values: try references(argument, "\(wanted)_\(key)").map(\.name))
        }
        let outputs = results.map { MILReference(name: name(wanted), type: $0) }
        operations.append(Operation(type: type, inputs: inputs, outputs: outputs))
        self.results.formUnion(outputs.map(\.name))
        return outputs
    }

    /// Appends the operation that makes labels of probabilities; the results have these names.
    func appendClassifier(_ probabilities: MILReference, _ labels: MILValue, label: String, dictionary: String) {
        let isText = if case .labels = labels { true } else { false }
        let key = MILType(isText ? .string : .int64, [])
        operations.append(
            Operation(
                type: "classify", inputs: [("probabilities", [probabilities.name])],
                outputs: [MILReference(name: label, type: key), MILReference(name: dictionary, type: key)],
                labels: labels))
    }

    // MARK: The message

    /// Writes a `Program` with these inputs and outputs of its function.
    func write(inputs: [MILReference], outputs: [String], to writer: inout ProtobufWriter) {
        writer.int(1, 1)
        writer.entry(2, "main") { writer in
            for input in inputs { write(input, 1, isDictionary: false, to: &writer) }
            writer.string(2, Self.opset)
            writer.entry(3, Self.opset) { writer in
                for output in outputs { writer.string(2, output) }
                for operation in operations { writer.message(3) { write(operation, to: &$0) } }
            }
        }
    }

    private func final(_ name: String) -> String { renamed[name] ?? name }

    private func write(_ value: MILReference, _ field: Int, isDictionary: Bool, to writer: inout ProtobufWriter) {
        writer.message(field) { writer in
            writer.string(1, final(value.name))
            guard isDictionary else { return value.type.write(2, to: &writer) }
            writer.message(2) { writer in
                writer.message(4) { writer in
                    value.type.write(1, to: &writer)
                    MILType(.float64, []).write(2, to: &writer)
                }
            }
        }
    }

    private func write(_ operation: Operation, to writer: inout ProtobufWriter) {
        writer.string(1, operation.type)
        for (key, values) in operation.inputs {
            writer.entry(2, key) { writer in
                for value in values { writer.message(1) { $0.string(1, final(value)) } }
            }
        }
        if let labels = operation.labels {
            writer.entry(2, "classes") { writer in
                writer.message(1) { labels.write(2, MILType(.string, []), to: &$0) }
            }
        }
        for (index, output) in operation.outputs.enumerated() {
            write(output, 3, isDictionary: operation.labels != nil && index == 1, to: &writer)
        }
        let name = final(operation.outputs.first?.name ?? "")
        writer.attribute("name", .text(name), MILType(.string, []))
        if let value = operation.value, let type = operation.outputs.first?.type {
            writer.attribute("val", value, type)
        }
    }
}

extension ProtobufWriter {
    /// An entry of a map from texts to messages.
    fileprivate mutating func entry(_ field: Int, _ key: String, _ write: (inout ProtobufWriter) -> Void) {
        message(field) { writer in
            writer.string(1, key)
            writer.message(2, write)
        }
    }

    fileprivate mutating func attribute(_ key: String, _ value: MILValue, _ type: MILType) {
        message(5) { writer in
            writer.string(1, key)
            value.write(2, type, to: &writer)
        }
    }
}
