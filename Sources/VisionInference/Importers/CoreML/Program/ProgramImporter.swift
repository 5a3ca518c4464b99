/// Turns an ML program (MIL.proto) into a graph.
///
/// Constants are read here, those that are compressed in full. Every other operation becomes a `ProgramOperation`,
/// which is replaced by the engine's own operators when the shapes of a run are known. Half floats are computed in 32
/// bits.
enum ProgramImporter {
    static func network(_ model: CoreMLModel) throws -> CoreMLNetwork {
        let functions = try model.content.map(2)
        let wanted = model.description.functionName.isEmpty ? "main" : model.description.functionName
        guard let function = functions.first(where: { $0.key == wanted })?.value ?? functions.first?.value else {
            throw ModelError.damaged("a program without functions")
        }
        let opset = try function.string(2)
        let blocks = try function.map(3)
        guard let block = blocks.first(where: { $0.key == opset })?.value ?? blocks.first?.value else {
            throw ModelError.damaged("a function without operations")
        }
        var scope = ProgramScope(Graph(), files: ProgramFiles(folder: model.folder))
        let inputs = try function.messages(1)
        for input in inputs { try addInput(input, model.description, &scope) }
        // After all others, so that those keep their positions.
        let states = try inputs.compactMap { try addState($0, &scope) }
        for operation in try block.messages(3) {
            if let control = try ProgramControl(operation, in: scope) {
                try control.append(to: &scope)
            } else {
                try scope.append(operation)
            }
        }
        return try network(scope, outputs: block.strings(2), states: states, model.description)
    }

    private static func addInput(
        _ message: ProtobufMessage, _ description: CoreMLDescription, _ scope: inout ProgramScope<Graph>
    ) throws {
        let name = try message.string(1)
        if try message.message(2)?.has(5) == true { return }
        guard let type = try ProgramType(value: message.message(2)) else {
            throw ModelError.unsupported("the input “\(name)” is no tensor")
        }
        var shape = type.shape
        switch description.inputs.first(where: { $0.name == name })?.kind {
        case .image(let image)?:
            let sides = [image.hasOpenHeight ? nil : image.height, image.hasOpenWidth ? nil : image.width]
            shape = [1, image.channels] + sides
        case .array(let array)?: shape = array.openShape
        default: throw ModelError.unsupported("the input “\(name)” is neither an image nor an array")
        }
        scope.values[name] = scope.sink.addInput(name, try type.computed(), shape)
    }

    /// An input that holds what an earlier prediction left; nil for another.
    private static func addState(
        _ message: ProtobufMessage, _ scope: inout ProgramScope<Graph>
    ) throws -> CoreMLNetwork.State? {
        let name = try message.string(1)
        guard let state = try message.message(2)?.message(5) else { return nil }
        guard let type = try ProgramType(value: state.message(1)), try type.element().isFloat else {
            throw ModelError.unsupported("the state “\(name)” has no floats")
        }
        let shape = try type.fixedShape()
        _ = try shape.checkedElementCount(.float32)
        scope.states[name] = scope.sink.addInput(name, .float32, shape)
        return CoreMLNetwork.State(name: name, shape: shape)
    }

    private static func network(
        _ scope: ProgramScope<Graph>, outputs: [String], states: [CoreMLNetwork.State],
        _ description: CoreMLDescription
    ) throws -> CoreMLNetwork {
        var scope = scope
        var network = CoreMLNetwork(graph: Graph())
        network.classifier = scope.classifier?.labels
        network.probabilities = scope.classifier?.probabilities
        var isListed = false
        for name in outputs {
            guard let feature = description.outputs.first(where: { $0.name == name }) else { continue }
            if case .dictionary = feature.kind { continue }
            if network.classifier != nil, name == description.predictedFeatureName { continue }
            guard let value = try scope.value(name) else {
                throw ModelError.invalid("no operation makes the output “\(name)”")
            }
            isListed = isListed || name == network.probabilities
            scope.sink.addOutput(value, name: name, scope.types[name] ?? .float32)
        }
        if let scores = network.probabilities, !isListed {
            guard let value = try scope.value(scores) else {
                throw ModelError.invalid("no operation makes the probabilities “\(scores)”")
            }
            scope.sink.addOutput(value, name: scores, .float32)
        }
        for state in states {
            guard let value = scope.states[state.name] else { continue }
            // A state that is not written is an input that is an output.
            let result = scope.sink.add(Identity(), [value], name: state.name)
            scope.sink.addOutput(result, name: state.name + CoreMLNetwork.stateSuffix, .float32)
        }
        network.states = states
        network.graph = scope.sink
        return network
    }
}
