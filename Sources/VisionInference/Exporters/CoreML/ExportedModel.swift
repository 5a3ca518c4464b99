import Foundation

/// A network as the specification of a Core ML model (Model.proto) with an ML program.
struct ExportedModel {
    /// The names of inputs and outputs, by those in the network.
    private(set) var names: [String: String] = [:]

    private let program: MILProgram
    private let options: CoreMLExport
    private var inputs: [(reference: MILReference, image: CoreMLExport.Image?)] = []
    /// Outputs of the function, arrays among them.
    private var outputs: [MILReference] = []

    /// - Throws: `ModelError` when the network has what ML programs have not.
    init(_ graph: Graph, shapes: [Shape], options: CoreMLExport, program: MILProgram) throws {
        self.options = options
        self.program = program
        guard shapes.count == graph.inputs.count else {
            throw ModelError.wrongInput("\(shapes.count) shapes for \(graph.inputs.count) inputs")
        }
        var graph = graph
        var shapes = shapes
        for index in graph.inputs.indices {
            guard let image = options.images[graph.inputs[index].name] else { continue }
            try Self.addPreprocessing(image, input: index, &graph, &shapes)
        }
        let descriptions = zip(graph.inputs, shapes).map { TensorDescription($0.type, $1) }
        var shaped = try ShapedGraph(graph, inputs: descriptions)
        try DeadCode.run(&shaped)
        try ChannelsFirst.run(&shaped)
        // Names of features are those of their values, which nothing else may have.
        for port in graph.inputs + graph.outputs where names[port.name] == nil {
            names[port.name] = program.name(port.name)
        }
        let exporter = MILExporter(shaped, program: program)
        for (port, shape) in zip(graph.inputs, shapes) {
            try addInput(port, shape, exporter)
        }
        try exporter.writeNodes()
        var taken = Set(inputs.map(\.reference.name))
        for port in graph.outputs {
            let reference = try exporter.reference(of: port.value)
            guard reference.shape == shaped[port.value]?.shape else {
                throw ModelError.unsupported("the output “\(port.name)” has more than \(MILProgram.largestRank) axes")
            }
            try addOutput(port, reference, &taken)
        }
    }

    /// Makes an input an image (1, C, H, W) of bytes, which becomes what the network takes.
    private static func addPreprocessing(
        _ image: CoreMLExport.Image, input index: Int, _ graph: inout Graph, _ shapes: inout [Shape]
    ) throws {
        let port = graph.inputs[index]
        let shape = shapes[index]
        let sides = image.channelsLast ? [0, 1] : [1, 2]
        let channelAxis = image.channelsLast ? 2 : 0
        let axes = Array(shape.suffix(3))
        guard (3...4).contains(shape.count), shape.count == 3 || shape[0] == 1,
            axes[channelAxis] == (image.colours == .grey ? 1 : 3)
        else { throw ModelError.invalid("the input “\(port.name)” has the shape \(shape), not that of an image") }
        let stored = [1, axes[channelAxis], axes[sides[0]], axes[sides[1]]]
        var nodes: [Graph.Node] = []
        let source = graph.addValue(port.name)
        var value = source
        func step(_ operation: any Operator, _ inputs: [Graph.ValueID], _ name: String) {
            let result = graph.addValue("\(port.name)_\(name)")
            nodes.append(
                Graph.Node(name: "\(port.name)_\(name)", operation: operation, inputs: inputs, outputs: [result]))
            value = result
        }
        // In the order of the channels.
        func vector(_ colours: SIMD3<Float>) -> [Float] {
            switch image.colours {
            case .grey: [colours.x]
            case .rgb: [colours.x, colours.y, colours.z]
            case .bgr: [colours.z, colours.y, colours.x]
            }
        }
        for (numbers, neutral, kind) in [
            (vector(image.scale), Float(1), BinaryOperation.Kind.mul), (vector(image.bias), 0, .add),
        ] where numbers.contains(where: { $0 != neutral }) {
            let isOne = Set(numbers).count == 1
            let tensor = try isOne ? Tensor(scalar: numbers[0]) : Tensor(numbers, shape: [1, numbers.count, 1, 1])
            let name = kind == .mul ? "scale" : "bias"
            let constant = graph.addValue("\(port.name)_\(name)_value", constant: tensor)
            step(BinaryOperation(kind: kind), [value, constant], kind == .mul ? "scaled" : "shifted")
        }
        if image.channelsLast { step(Transpose(permutation: [0, 2, 3, 1]), [value], "pixels") }
        if shape.count == 3 {
            let sizes = graph.addValue("\(port.name)_shape", constant: try Tensor(shape.map { Int64($0) }))
            step(Reshape(allowZero: true), [value, sizes], "single")
        }
        if port.type != .float32 { step(Cast(to: port.type), [value], "typed") }
        if nodes.isEmpty { step(Identity(), [value], "image") }
        // The network reads what the last step makes.
        nodes[nodes.count - 1].outputs = [port.value]
        graph.nodes.insert(contentsOf: nodes, at: 0)
        graph.inputs[index].value = source
        graph.inputs[index].type = .float32
        shapes[index] = stored
    }

    private mutating func addInput(_ port: Graph.Port, _ shape: Shape, _ exporter: MILExporter) throws {
        guard !shape.contains(where: { $0 < 1 }) else {
            throw ModelError.wrongInput("the input “\(port.name)” has the shape \(shape), which is empty")
        }
        guard shape.count <= MILProgram.largestRank else {
            throw ModelError.unsupported("the input “\(port.name)” has more than \(MILProgram.largestRank) axes")
        }
        // Features are floats or whole numbers of 32 bits, and no scalars.
        let isFloat = port.type.isFloat
        let stored = MILReference(
            name: names[port.name] ?? port.name, type: MILType(isFloat ? .float32 : .int32, shape.isEmpty ? [1] : shape)
        )
        inputs.append((stored, options.images[port.name]))
        var value = stored
        func step(_ type: String, _ key: String, _ argument: MILProgram.Argument, _ result: MILType) throws {
            value = try program.append(
                type, [("x", .value(value)), (key, argument)], [result], name: "\(stored.name)_input")[0]
        }
        if shape.isEmpty { try step("squeeze", "axes", .ints([0]), MILType(stored.element, [])) }
        let element = program.element(port.type)
        if element != stored.element { try step("cast", "dtype", .text(element.name), MILType(element, shape)) }
        exporter.define(port.value, as: value)
    }

    private mutating func addOutput(
        _ port: Graph.Port, _ reference: MILReference, _ taken: inout Set<String>
    ) throws {
        var name = names[port.name] ?? port.name
        if !taken.insert(name).inserted {
            // An input of the same name.
            name = program.name(name)
            taken.insert(name)
            names[port.name] = name
        }
        var value = reference
        func step(_ type: String, _ arguments: [(String, MILProgram.Argument)], _ result: MILType) throws {
            let list = [("x", MILProgram.Argument.value(value))] + arguments
            value = try program.append(type, list, [result], name: "\(name)_output")[0]
        }
        let isScores = port.name == options.classifier?.scores
        if isScores, let classifier = options.classifier {
            switch classifier.function {
            case .none: break
            case .softmax:
                let axis = value.shape.indices.last { value.shape[$0] > 1 } ?? value.shape.count - 1
                try step("softmax", [("axis", .int(axis))], value.type)
            case .sigmoid: try step("sigmoid", [], value.type)
            }
        }
        if value.shape.isEmpty { try step("expand_dims", [("axes", .ints([0]))], MILType(value.element, [1])) }
        let element: MILElement = value.element == .bool || value.element == .int32 ? .int32 : .float32
        if value.element != element {
            try step("cast", [("dtype", .text(element.name))], MILType(element, value.shape))
        }
        // A value has one name.
        if !program.isResult(value) || outputs.contains(where: { $0.name == value.name }) {
            try step("identity", [], value.type)
        }
        if isScores, let classifier = options.classifier {
            return try addClassifier(classifier, value)
        }
        program.rename(value, to: name)
        outputs.append(MILReference(name: name, type: value.type))
    }

    private var classes: (label: String, probabilities: String)?

    private mutating func addClassifier(_ classifier: CoreMLExport.Classifier, _ scores: MILReference) throws {
        guard scores.shape.elementCount == classifier.labels.count, scores.element == .float32 else {
            throw ModelError.invalid("\(classifier.labels.count) labels for scores of shape \(scores.shape)")
        }
        let label = program.name(classifier.labelName)
        let probabilities = program.name(classifier.probabilitiesName)
        program.appendClassifier(scores, .labels(classifier.labels), label: label, dictionary: probabilities)
        classes = (label, probabilities)
    }

    // MARK: The message

    func specification() -> Data {
        var writer = ProtobufWriter()
        writer.int(1, MILProgram.specificationVersion)
        writer.message(2) { writer in
            for (reference, image) in inputs {
                if let image { write(image, reference, to: &writer) } else { write(reference, 1, to: &writer) }
            }
            if let classes {
                CoreMLFeatureWriter.text(classes.label, 10, to: &writer)
                CoreMLFeatureWriter.dictionary(classes.probabilities, 10, to: &writer)
            }
            for output in outputs { write(output, 10, to: &writer) }
            if let classes {
                writer.string(11, classes.label)
                writer.string(12, classes.probabilities)
            }
            options.metadata.write(100, to: &writer)
        }
        let names = (classes.map { [$0.label, $0.probabilities] } ?? []) + outputs.map(\.name)
        writer.message(502) { program.write(inputs: inputs.map(\.reference), outputs: names, to: &$0) }
        return writer.data
    }

    private func write(_ reference: MILReference, _ field: Int, to writer: inout ProtobufWriter) {
        CoreMLFeatureWriter.array(
            reference.name, field, reference.shape, isFloat: reference.element == .float32, to: &writer)
    }

    private func write(_ image: CoreMLExport.Image, _ reference: MILReference, to writer: inout ProtobufWriter) {
        CoreMLFeatureWriter.image(
            reference.name, 1, width: reference.shape[3], height: reference.shape[2], image.colours, to: &writer)
    }
}
