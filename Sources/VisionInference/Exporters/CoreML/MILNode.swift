/// An operator of the engine that ML programs can state.
protocol MILOperator: Operator {
    /// Writes the operator as operations of a program, and calls `finish` with its results.
    func write(_ node: MILNode) throws
}

/// A node of a graph that is being written as operations of an ML program.
final class MILNode {
    typealias Argument = MILProgram.Argument

    let program: MILProgram
    /// What is known of the inputs and outputs.
    let inputs: [TensorDescription?]
    let outputs: [TensorDescription]
    /// Outputs that something reads.
    let isRead: [Bool]

    private let node: Graph.Node
    private let evaluator: any ConstantEvaluator
    private let reference: (Graph.ValueID) throws -> MILReference
    private(set) var results: [MILReference?]

    /// - Parameter reference: the value of the program that a value of the graph is.
    init(
        _ node: Graph.Node, inputs: [TensorDescription?], outputs: [TensorDescription], isRead: [Bool],
        program: MILProgram, evaluator: any ConstantEvaluator,
        reference: @escaping (Graph.ValueID) throws -> MILReference
    ) {
        self.node = node
        self.inputs = inputs
        self.outputs = outputs
        self.isRead = isRead
        self.program = program
        self.evaluator = evaluator
        self.reference = reference
        results = outputs.map { _ in nil }
    }

    var name: String { node.name.isEmpty ? node.operation.name : node.name }

    // MARK: Inputs

    func optional(_ index: Int) throws -> MILReference? {
        guard let value = try stored(index) else { return nil }
        guard let shape = inputs[index]?.shape, value.shape == shape else {
            throw ModelError.unsupported(
                "it takes \(inputs[index]?.shape.count ?? 0) axes, and ML programs have \(MILProgram.largestRank)")
        }
        return value
    }

    /// An input as the program has it: with fewer axes where the network has more than programs may have.
    func stored(_ index: Int) throws -> MILReference? {
        guard node.inputs.indices.contains(index), let value = node.inputs[index] else { return nil }
        return try reference(value)
    }

    func input(_ index: Int) throws -> MILReference {
        guard let value = try optional(index) else { throw ModelError.invalid("input \(index) is missing") }
        return value
    }

    func has(_ index: Int) -> Bool { node.inputs.indices.contains(index) && node.inputs[index] != nil }

    /// An input that has to be known.
    func tensor(_ index: Int, _ what: String) throws -> Tensor {
        guard let tensor = inputs[index]?.constant else {
            throw ModelError.unsupported("ML programs want constant \(what)")
        }
        return tensor
    }

    func shape(_ index: Int) -> Shape { inputs.indices.contains(index) ? inputs[index]?.shape ?? [] : [] }

    /// The shape of the first output.
    var outputShape: Shape { outputs.first?.shape ?? [] }

    // MARK: Operations

    func constant(_ tensor: Tensor, _ what: String) throws -> MILReference {
        try program.constant(tensor, name: "\(name)_\(what)")
    }

    func constant(_ values: [Float], _ what: String) throws -> MILReference {
        try constant(Tensor(values), what)
    }

    /// A scalar of the type of another value.
    func scalar(_ number: Double, like value: MILReference, _ what: String = "number") throws -> MILReference {
        let type: ElementType =
            switch value.element {
            case .bool: .bool
            case .int32, .int64: .int32
            default: .float32
            }
        return try constant(Tensor(number: number, type), what)
    }

    /// An operation with one result.
    ///
    /// - Parameter element: what the result's elements are; nil: those of the first argument that is a value.
    func add(
        _ type: String, _ arguments: KeyValuePairs<String, Argument>, _ shape: Shape, _ element: MILElement? = nil
    ) throws -> MILReference {
        let list = arguments.map { ($0.key, $0.value) }
        var first: MILElement?
        for (_, argument) in list where first == nil {
            switch argument {
            case .value(let value): first = value.element
            case .values(let values): first = values.first?.element
            default: break
            }
        }
        let result = MILType(element ?? first ?? program.float, shape)
        return try program.append(type, list, [result], name: name)[0]
    }

    /// An operation with several results.
    func add(
        _ type: String, _ arguments: [(String, Argument)], _ results: [MILType]
    ) throws -> [MILReference] {
        try program.append(type, arguments, results, name: name)
    }

    func finish(_ result: MILReference, output: Int = 0) {
        if results.indices.contains(output) { results[output] = result }
    }

    /// Throws where an output is read that programs cannot give.
    func refuseOutputs(from index: Int) throws {
        guard isRead.dropFirst(index).contains(true) else { return }
        throw ModelError.unsupported("its output \(index + 1) has no counterpart in ML programs")
    }

    // MARK: Steps that many operators need

    func binary(_ type: String, _ a: MILReference, _ b: MILReference, _ element: MILElement? = nil) throws
        -> MILReference
    {
        try add(type, ["x": .value(a), "y": .value(b)], a.shape.broadcast(with: b.shape), element)
    }

    func unary(_ type: String, _ a: MILReference) throws -> MILReference { try add(type, ["x": .value(a)], a.shape) }

    func cast(_ value: MILReference, _ element: MILElement) throws -> MILReference {
        if value.element == element { return value }
        return try add("cast", ["x": .value(value), "dtype": .text(element.name)], value.shape, element)
    }

    func transpose(_ value: MILReference, _ permutation: [Int]) throws -> MILReference {
        if permutation == Array(permutation.indices) { return value }
        return try add(
            "transpose", ["x": .value(value), "perm": .ints(permutation)], value.shape.permuted(permutation))
    }

    func reshape(_ value: MILReference, _ shape: Shape) throws -> MILReference {
        if value.shape == shape { return value }
        guard !shape.contains(0) else { throw ModelError.unsupported("ML programs have no empty tensors") }
        if shape.isEmpty {
            return try add("squeeze", ["x": .value(value), "axes": .ints(Array(value.shape.indices))], shape)
        }
        if value.shape.isEmpty {
            return try add("expand_dims", ["x": .value(value), "axes": .ints(Array(shape.indices))], shape)
        }
        return try add("reshape", ["x": .value(value), "shape": .ints(shape)], shape)
    }

    /// Repeats axes of one element until a value has a shape.
    func broadcast(_ value: MILReference, to shape: Shape) throws -> MILReference {
        let missing = Shape(repeating: 1, count: max(shape.count - value.shape.count, 0))
        let full = try reshape(value, missing + value.shape)
        let repeats = zip(full.shape, shape).map { $0 == $1 ? 1 : $1 }
        if repeats.allSatisfy({ $0 == 1 }) { return full }
        return try add("tile", ["x": .value(full), "reps": .ints(repeats)], shape)
    }

    /// A constant with its axes in another order.
    func permuted(_ tensor: Tensor, _ permutation: [Int]) throws -> Tensor {
        let description = TensorDescription(tensor.type, tensor.shape.permuted(permutation))
        let results = try evaluator.evaluate(
            Transpose(permutation: permutation), [tensor], outputs: [description])
        guard let result = results.first else { throw ModelError.invalid("weights of shape \(tensor.shape)") }
        return result
    }

    /// Runs an operator on constants.
    func evaluate(_ operation: any Operator, _ inputs: [Tensor?]) throws -> Tensor {
        guard case .known(let outputs) = try operation.infer(inputs.map { $0.map { TensorDescription($0) } }),
            let result = try evaluator.evaluate(operation, inputs, outputs: outputs).first
        else { throw ModelError.invalid("\(operation.name) cannot be evaluated") }
        return result
    }
}
