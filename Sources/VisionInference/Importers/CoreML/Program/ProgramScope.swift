/// The values of a program's blocks by their names, and the graph that they are in.
struct ProgramScope<Sink: GraphSink> {
    var sink: Sink
    var values: [String: Graph.ValueID] = [:]
    /// Values that are stated, those that are no tensors among them.
    var constants: [String: ProgramValue] = [:]
    /// Values that arguments state, by where they lie: operations of a loop's body are appended in every iteration.
    private var literals: [Int: ProgramValue] = [:]
    /// Blocks of operations, and operations of blocks, by where they lie.
    private var parts: [Int: [ProtobufMessage]] = [:]
    /// What is kept from one prediction to the next, as it is after the operations so far.
    var states: [String: Graph.ValueID] = [:]
    /// Types of what operations make, as they are computed.
    var types: [String: ElementType] = [:]
    var classifier: (labels: CoreMLClassLabels, probabilities: String)?

    let files: ProgramFiles

    init(_ sink: consuming Sink, files: ProgramFiles) {
        self.sink = sink
        self.files = files
    }

    /// A value in the graph; nil where nothing has made it.
    mutating func value(_ name: String) throws -> Graph.ValueID? {
        if let value = values[name] { return value }
        guard let tensor = constants[name]?.tensor else { return nil }
        let value = sink.addConstant(tensor, name: name)
        values[name] = value
        return value
    }

    mutating func append(_ message: ProtobufMessage) throws {
        let type = try message.string(1)
        let outputs = try message.messages(3)
        let names = try outputs.map { try $0.string(1) }
        // A constant of a loop's body was read in the iteration before.
        if type == "const" || type.hasPrefix("constexpr_"), let name = names.first, constants[name] != nil { return }
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
            if Self.stateTypes.contains(type) { return try useState(message, result: names.first) }
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

    mutating func arguments(_ message: ProtobufMessage) throws -> [(String, [Binding])] {
        try message.map(2).map { key, argument in
            let bindings = try argument.messages(1).map { binding -> Binding in
                if let value = try binding.message(2) { return .constant(try literal(value)) }
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

    /// The operations that read and write what is kept.
    static var stateTypes: Set<String> { ["read_state", "write_state"] }

    /// The messages of a field, read once: those of a loop's body are used in every iteration.
    mutating func parts(_ message: ProtobufMessage, _ field: Int) throws -> [ProtobufMessage] {
        if let parts = parts[message.range.lowerBound] { return parts }
        let read = try message.messages(field)
        parts[message.range.lowerBound] = read
        return read
    }

    private mutating func literal(_ message: ProtobufMessage) throws -> ProgramValue {
        if let value = literals[message.range.lowerBound] { return value }
        let value = try ProgramValue(message, files)
        literals[message.range.lowerBound] = value
        return value
    }

    private mutating func useState(_ message: ProtobufMessage, result: String?) throws {
        let names = Dictionary(
            try message.map(2).map { ($0.key, try $0.value.messages(1).first?.string(1) ?? "") }
        ) { first, _ in first }
        guard let state = names["input"], let kept = states[state] else {
            throw ModelError.invalid("there is no state “\(names["input"] ?? "")” here")
        }
        if let data = names["data"] {
            guard let value = try value(data) else {
                throw ModelError.invalid("nothing before it makes its input “\(data)”")
            }
            states[state] = value
        } else if let result {
            values[result] = kept
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
            throw ProgramDefinition.refusal(of: type, node: names.first ?? "")
        }
        var inputs: [Graph.ValueID?] = []
        var parameters: [String: [ProgramOperation.Operand]] = [:]
        for (key, bindings) in arguments {
            parameters[key] = try bindings.map { binding in
                switch binding {
                case .constant(.strings(let texts)): return .text(texts.first ?? "")
                case .constant(let constant):
                    guard let tensor = constant.tensor else { throw ModelError.damaged("“\(key)” is no tensor") }
                    inputs.append(sink.addConstant(tensor, name: "\(names.first ?? "").\(key)"))
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
        let outputs = try sink.append(operation, inputs, name: names.first ?? "", outputs: names)
        for (name, value) in zip(names, outputs) { values[name] = value }
    }
}
