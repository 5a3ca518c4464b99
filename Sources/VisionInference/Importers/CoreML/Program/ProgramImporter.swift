/// Turns an ML program (MIL.proto) into a graph.
///
/// Constants are read here, those that are compressed in full. Every other operation becomes a `ProgramOperation`,
/// which is replaced by the engine's own operators when the shapes of a run are known. Half floats are computed in 32
/// bits.
enum ProgramImporter {
    static func network(_ model: CoreMLModel) throws -> CoreMLNetwork {
        guard model.description.states.isEmpty else {
            throw ModelError.unsupported("it keeps state from one prediction to the next. Convert it without states")
        }
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
        var scope = ProgramScope(ProgramFiles(folder: model.folder))
        for input in try function.messages(1) { try addInput(input, model.description, &scope) }
        for operation in try block.messages(3) { try scope.append(operation) }
        return try network(scope, outputs: block.strings(2), model.description)
    }

    private static func addInput(
        _ message: ProtobufMessage, _ description: CoreMLDescription, _ scope: inout ProgramScope
    ) throws {
        let name = try message.string(1)
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
        scope.values[name] = scope.graph.addInput(name, try type.computed(), shape)
    }

    private static func network(
        _ scope: ProgramScope, outputs: [String], _ description: CoreMLDescription
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
            scope.graph.addOutput(value, name: name, scope.types[name] ?? .float32)
        }
        if let scores = network.probabilities, !isListed {
            guard let value = try scope.value(scores) else {
                throw ModelError.invalid("no operation makes the probabilities “\(scores)”")
            }
            scope.graph.addOutput(value, name: scores, .float32)
        }
        network.graph = scope.graph
        return network
    }
}

/// The values of a block by their names, and the graph that they are in.
struct ProgramScope {
    var graph = Graph()
    var values: [String: Graph.ValueID] = [:]
    /// Values that are stated, those that are no tensors among them.
    var constants: [String: ProgramValue] = [:]
    /// Types of what operations make, as they are computed.
    var types: [String: ElementType] = [:]
    var classifier: (labels: CoreMLClassLabels, probabilities: String)?

    private let files: ProgramFiles

    init(_ files: ProgramFiles) { self.files = files }

    /// A value in the graph; nil where nothing has made it.
    mutating func value(_ name: String) throws -> Graph.ValueID? {
        if let value = values[name] { return value }
        guard let tensor = constants[name]?.tensor else { return nil }
        let value = graph.addValue(name, constant: tensor)
        values[name] = value
        return value
    }

    mutating func append(_ message: ProtobufMessage) throws {
        let type = try message.string(1)
        let outputs = try message.messages(3)
        let names = try outputs.map { try $0.string(1) }
        try ModelError.adding(.init(operation: type, node: names.first)) {
            for (name, output) in zip(names, outputs) {
                if let described = try ProgramType(value: output.message(2)) { types[name] = try? described.computed() }
            }
            var attributes: [String: ProgramValue] = [:]
            for (key, value) in try message.map(5) where key != "name" {
                attributes[key] = try ProgramValue(value, files)
            }
            if type == "const" {
                guard let value = attributes["val"], let name = names.first else {
                    throw ModelError.damaged("no value")
                }
                constants[name] = value
                return
            }
            let arguments = try arguments(message)
            if type.hasPrefix("constexpr_") {
                var inputs = attributes
                for (key, bindings) in arguments {
                    if case .constant(let value)? = bindings.first { inputs[key] = value }
                }
                guard let name = names.first else { throw ModelError.damaged("no output") }
                constants[name] = .tensor(try CompressedWeights.tensor(type, inputs, type: types[name]))
                return
            }
            if type == "classify" { return try setClassifier(arguments, names) }
            try append(type, arguments, names)
        }
    }

    /// A value that an operation reads: one that is stated, or one of the graph.
    enum Binding {
        case constant(ProgramValue)
        case value(String)
    }

    private func arguments(_ message: ProtobufMessage) throws -> [(String, [Binding])] {
        try message.map(2).map { key, argument in
            let bindings = try argument.messages(1).map { binding -> Binding in
                if let value = try binding.message(2) { return .constant(try ProgramValue(value, files)) }
                let name = try binding.string(1)
                if let constant = constants[name] { return .constant(constant) }
                guard values[name] != nil else {
                    throw ModelError.invalid("nothing before it makes its input “\(name)”")
                }
                return .value(name)
            }
            return (key, bindings)
        }
    }

    private mutating func setClassifier(_ arguments: [(String, [Binding])], _ names: [String]) throws {
        var (scores, labels): (String?, CoreMLClassLabels?)
        for (key, bindings) in arguments {
            switch (key, bindings.first) {
            case ("probabilities", .value(let name)?): scores = name
            case ("classes", .constant(.strings(let texts))?): labels = .strings(texts)
            case ("classes", .constant(let value)?): labels = (value.tensor?.integers).map { .integers($0) }
            default: break
            }
        }
        guard let scores, let labels else { throw ModelError.damaged("a classifier without probabilities or labels") }
        classifier = (labels, scores)
    }

    private mutating func append(
        _ type: String, _ arguments: [(String, [Binding])], _ names: [String]
    ) throws {
        guard let definition = ProgramDefinition.all[type] else {
            throw ModelError.unsupported(
                "Convert the network to ONNX, or without this operation", operation: type, node: names.first ?? "")
        }
        var inputs: [Graph.ValueID?] = []
        var parameters: [String: [ProgramOperation.Operand]] = [:]
        for (key, bindings) in arguments {
            parameters[key] = try bindings.map { binding in
                switch binding {
                case .constant(.strings(let texts)): return .text(texts.first ?? "")
                case .constant(let constant):
                    guard let tensor = constant.tensor else { throw ModelError.damaged("“\(key)” is no tensor") }
                    inputs.append(graph.addValue("\(names.first ?? "").\(key)", constant: tensor))
                    return .input(inputs.count - 1)
                case .value(let name):
                    inputs.append(values[name])
                    return .input(inputs.count - 1)
                }
            }
        }
        let operation = ProgramOperation(
            type: type, definition: definition, parameters: parameters, outputType: names.first.flatMap { types[$0] },
            outputCount: names.count)
        let outputs = try graph.append(operation, inputs, name: names.first ?? "", outputs: names)
        for (name, value) in zip(names, outputs) { values[name] = value }
    }
}
