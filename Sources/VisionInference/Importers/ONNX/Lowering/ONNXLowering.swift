/// One node being expressed by operators of the engine: its attributes and inputs, and ways to append to the graph.
final class ONNXLowering {
    typealias Value = Graph.ValueID

    let operation: ONNXOperator
    let name: String
    let inputs: [Value?]
    var graph: ShapedGraph

    init(_ operation: ONNXOperator, name: String, inputs: [Value?], evaluator: any ConstantEvaluator) {
        self.operation = operation
        self.name = name
        self.inputs = inputs
        graph = ShapedGraph(evaluator: evaluator)
    }

    var node: ONNXNode { operation.node }
    var opset: Int { operation.opset }

    // MARK: Errors

    func unsupported(_ reason: String) -> ModelError {
        .unsupported(operator: node.operatorType, node: name, reason: reason)
    }

    func invalid(_ reason: String) -> ModelError {
        .invalid("\(reason) (operator \(node.operatorType), node “\(name)”)")
    }

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

    func wants(_ output: Int) -> Bool { output < node.outputs.count && !node.outputs[output].isEmpty }

    /// The type and shape of a value; not known where they depend on data.
    func describe(_ value: Value) throws -> TensorDescription {
        guard let description = graph[value] else { throw ExpansionPostponed() }
        return description
    }

    func shape(_ value: Value) throws -> Shape { try describe(value).shape }
    func type(_ value: Value) throws -> ElementType { try describe(value).type }
    func rank(_ value: Value) throws -> Int { try describe(value).shape.count }

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

    /// Numbers that were an attribute in older operator sets and are an input now.
    func intsFromInput(_ index: Int, orAttribute attribute: String) throws -> [Int]? {
        if let values = ints(attribute) { return values }
        return try constantInts(index)
    }

    func axis(_ value: Value, _ axis: Int) throws -> Int {
        do { return try shape(value).resolvedAxis(axis) } catch ModelError.invalid(let text) { throw invalid(text) }
    }

    // MARK: Building

    func add(_ operation: any Operator, _ inputs: [Value?]) throws -> Value {
        try graph.append(operation, inputs, name: name)
    }

    func add(_ operation: any Operator, _ inputs: [Value?], outputs: Int) throws -> [Value] {
        let first = try graph.append(operation, inputs, name: name, outputs: outputs)
        return Array(first..<first + outputs)
    }

    func constant(_ tensor: Tensor) -> Value { graph.addConstant(tensor, name: name) }
    func constant(_ values: [Int]) throws -> Value { constant(try Tensor(values.map { Int64($0) })) }

    /// A scalar of the type that another value has.
    func scalar(_ number: Double, like value: Value) throws -> Value {
        try scalar(number, try type(value))
    }

    func scalar(_ number: Double, _ type: ElementType) throws -> Value {
        constant(try Tensor(number: number, type))
    }
}

extension Tensor {
    /// A scalar. Numbers that the type does not have become the nearest one.
    init(number: Double, _ type: ElementType) throws {
        let whole = number.isNaN ? 0 : Int(max(-0x1p62, min(number, 0x1p62)))
        switch type {
        case .float32: try self.init(scalar: Float(number))
        case .float64: try self.init(scalar: number)
        case .float16: try self.init(scalar: Float16(number))
        case .bfloat16: try self.init(scalar: BFloat16(Float(number)))
        case .int8: try self.init(scalar: Int8(clamping: whole))
        case .uint8: try self.init(scalar: UInt8(clamping: whole))
        case .int16: try self.init(scalar: Int16(clamping: whole))
        case .uint16: try self.init(scalar: UInt16(clamping: whole))
        case .int32: try self.init(scalar: Int32(clamping: whole))
        case .uint32: try self.init(scalar: UInt32(clamping: whole))
        case .int64: try self.init(scalar: Int64(clamping: whole))
        case .uint64: try self.init(scalar: UInt64(clamping: whole))
        case .bool:
            let one = try Tensor(scalar: UInt8(number == 0 ? 0 : 1))
            try self.init(.bool, shape: [], storage: one.storage)
        }
    }
}
