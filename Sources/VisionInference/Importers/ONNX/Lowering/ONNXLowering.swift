/// One node being expressed by operators of the engine: its attributes and inputs.
final class ONNXLowering: GraphBuilder<ShapedGraph> {
    let operation: ONNXOperator
    let inputs: [Value?]

    init(_ operation: ONNXOperator, name: String, inputs: [Value?], graph: ShapedGraph) {
        self.operation = operation
        self.inputs = inputs
        super.init(graph, name: name)
    }

    var node: ONNXNode { operation.node }
    var opset: Int { operation.opset }

    // MARK: Errors

    // The node is named by whoever asks for its expansion.
    func unsupported(_ reason: String) -> ModelError { .unsupported(reason) }
    func invalid(_ reason: String) -> ModelError { .invalid(reason) }

    func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
        if !condition { throw invalid(reason()) }
    }

    // MARK: Attributes

    func int(_ name: String) -> Int? {
        if case .int(let value)? = node.attribute(name) { Int(value) } else { nil }
    }

    func int(_ name: String, _ fallback: Int) -> Int { int(name) ?? fallback }
    func flag(_ name: String, _ fallback: Bool = false) -> Bool { int(name).map { $0 != 0 } ?? fallback }

    func float(_ name: String) -> Float? {
        if case .float(let value)? = node.attribute(name) { value } else { nil }
    }

    func float(_ name: String, _ fallback: Float) -> Float { float(name) ?? fallback }

    func ints(_ name: String) -> [Int]? {
        if case .ints(let values)? = node.attribute(name) { values.map { Int($0) } } else { nil }
    }

    func floats(_ name: String) -> [Float]? {
        if case .floats(let values)? = node.attribute(name) { values } else { nil }
    }

    func string(_ name: String) -> String? {
        if case .string(let value)? = node.attribute(name) { value } else { nil }
    }

    func string(_ name: String, _ fallback: String) -> String { string(name) ?? fallback }

    func strings(_ name: String) -> [String]? {
        if case .strings(let values)? = node.attribute(name) { values } else { nil }
    }

    func tensor(_ name: String) throws -> Tensor? {
        if case .tensor(let value)? = node.attribute(name) { try Tensor(value) } else { nil }
    }

    func elementType(_ name: String) throws -> ElementType? {
        guard let number = int(name) else { return nil }
        guard let small = Int32(exactly: number), let type = ONNXDataType(rawValue: small) else {
            throw invalid("there is no element type \(number)")
        }
        do { return try ElementType(type, of: name) } catch { throw unsupported("elements of type \(type)") }
    }

    // MARK: Inputs

    /// How many inputs the node has, without what graphs inside of it read.
    var inputCount: Int { node.inputs.count }

    func optional(_ index: Int) -> Value? { index < inputCount ? inputs[index] : nil }

    func input(_ index: Int) throws -> Value {
        guard let value = optional(index) else { throw invalid("input \(index) is missing") }
        return value
    }

    /// All inputs, none of which may be left out.
    var allInputs: [Value] {
        get throws { try (0..<inputCount).map { try input($0) } }
    }

    func wants(_ output: Int) -> Bool { output < node.outputs.count && !node.outputs[output].isEmpty }

    /// An input that has to be known before the run.
    func constant(_ index: Int) throws -> Tensor? {
        guard let value = optional(index) else { return nil }
        guard let tensor = try describe(value).constant else { throw ExpansionPostponed() }
        return tensor
    }

    func constantInts(_ index: Int) throws -> [Int]? {
        guard let tensor = try constant(index) else { return nil }
        guard let values = tensor.integers else { throw invalid("input \(index) has elements of type \(tensor.type)") }
        return values
    }

    func constantFloats(_ index: Int) throws -> [Float]? {
        guard let tensor = try constant(index) else { return nil }
        guard let values = tensor.floats ?? tensor.integers?.map({ Float($0) }) else {
            throw invalid("input \(index) has elements of type \(tensor.type)")
        }
        return values
    }

    func axis(_ value: Value, _ axis: Int) throws -> Int { try shape(value).resolvedAxis(axis) }
}
