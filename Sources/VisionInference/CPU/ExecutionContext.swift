import VisionThreads

/// The memory of one run at a time: an arena, with the views that every step of a program works on.
package final class ExecutionContext {
    package let program: Program
    private let arena: TensorStorage
    private let buffers: [StepBuffers?]
    /// Values whose shape depends on data, made anew by every run.
    private var dynamic: [Graph.ValueID: Tensor] = [:]
    private var dynamicBytes = 0

    /// - Parameter other: A context that is not needed any longer: its arena is used if it is large enough.
    package init(_ program: Program, replacing other: ExecutionContext? = nil) throws {
        self.program = program
        let arena =
            try other.map(\.arena).flatMap { $0.byteCount >= program.arenaBytes ? $0 : nil }
            ?? Self.arena(byteCount: program.arenaBytes)
        self.arena = arena
        let scratch = arena.base + program.scratchOffset
        buffers = program.nodes.map { prepared in
            guard prepared.step != nil else { return nil }
            return StepBuffers(
                inputs: zip(prepared.node.inputs, prepared.inputs).map { value, description in
                    guard let value, let description else { return nil }
                    return Self.view(of: value, description, program, arena)
                },
                outputs: zip(prepared.node.outputs, prepared.outputs).compactMap {
                    Self.view(of: $0, $1, program, arena)
                },
                scratch: scratch)
        }
    }

    private static func arena(byteCount: Int) throws -> TensorStorage {
        guard let block = MemoryBlock(byteCount: byteCount) else {
            throw ModelError.tooLarge("there is no memory for the \(byteCount) bytes that a run needs")
        }
        return TensorStorage(block)
    }

    private static func view(
        of value: Graph.ValueID, _ description: TensorDescription, _ program: Program, _ arena: TensorStorage
    ) -> TensorView? {
        switch program.locations[value] {
        case .arena(let offset):
            TensorView(type: description.type, shape: description.shape, base: arena.base + offset)
        case .constant(let tensor):
            TensorView(type: description.type, shape: description.shape, base: tensor.storage.base)
        case .dynamic, nil: nil
        }
    }

    private func view(of value: Graph.ValueID) -> TensorView? {
        if let tensor = dynamic[value] { return tensor.view }
        return program.descriptions[value].flatMap { Self.view(of: value, $0, program, arena) }
    }

    /// The memory of an input, to be filled before a run.
    func input(_ index: Int) -> TensorView? { view(of: program.inputs[index].value) }

    /// The memory of an output, valid until the next run.
    func output(_ index: Int) -> TensorView? { view(of: program.outputs[index].value) }

    /// An output whose shape depends on data and that has memory of its own, without a copy; nil for others.
    func dynamicOutput(_ index: Int) -> Tensor? {
        dynamic[program.outputs[index].value].flatMap { $0.storage.isBorrowed ? nil : $0 }
    }

    /// Gives back the memory of values whose shapes depend on data.
    func dropDynamicValues() {
        dynamicBytes = 0
        if !dynamic.isEmpty { dynamic.removeAll(keepingCapacity: true) }
    }

    /// Runs the network on what the inputs hold.
    ///
    /// - Parameters:
    ///   - dynamicLimit: The bytes that values whose shapes depend on data may take together.
    ///   - observe: Called after every step with its number, for profiles.
    func run(
        _ workers: Workers, dynamicLimit: Int = ModelLimits.arenaBytes, observe: ((Int) -> Void)? = nil
    ) throws {
        dropDynamicValues()
        var current = 0
        do {
            for index in program.nodes.indices {
                current = index
                if let buffers = buffers[index], let step = program.nodes[index].step {
                    try step.run(buffers, workers)
                } else if program.nodes[index].outputs.isEmpty {
                    try runDynamically(program.nodes[index], limit: dynamicLimit)
                }
                observe?(index)
            }
        } catch let error as ModelError {
            throw error.within(program.nodes[current].node.context)
        }
    }

    private func runDynamically(_ prepared: Program.PreparedNode, limit: Int) throws {
        let node = prepared.node
        let inputs = try node.inputs.map { value in
            try value.map { value in
                guard let tensor = try tensor(of: value) else {
                    throw ModelError.invalid("one of its inputs was never made")
                }
                return tensor
            }
        }
        let evaluator = CPUEvaluator()
        let results: [Tensor]
        switch try node.operation.infer(inputs.map { $0.map { TensorDescription($0) } }) {
        case .dependsOnData:
            results = try evaluator.evaluate(node.operation, inputs)
            try count(results.map(\.byteCount), limit: limit)
        case .known(let outputs):
            try count(outputs.map { try $0.shape.checkedElementCount($0.type) * $0.type.size }, limit: limit)
            results = try evaluator.evaluate(node.operation, inputs, outputs: outputs)
        }
        guard results.count >= node.outputs.count else {
            throw ModelError.invalid("it made too few outputs")
        }
        for (value, result) in zip(node.outputs, results) { dynamic[value] = result }
    }

    private func count(_ bytes: [Int], limit: Int) throws {
        dynamicBytes += bytes.reduce(0, +)
        guard dynamicBytes <= limit else {
            throw ModelError.tooLarge("values whose shapes depend on data need more than \(limit >> 20) MiB")
        }
    }

    /// A value as it is now; what lies in the arena is not copied.
    private func tensor(of value: Graph.ValueID) throws -> Tensor? {
        if let tensor = dynamic[value] { return tensor }
        guard let view = view(of: value) else { return nil }
        let storage = TensorStorage(borrowing: UnsafeRawBufferPointer(view.bytes), from: arena)
        return try Tensor(view.type, shape: view.shape, storage: storage)
    }
}
