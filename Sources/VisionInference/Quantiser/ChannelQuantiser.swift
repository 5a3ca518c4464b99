/// Makes a network run in 8 bits whose channels differ too much for one scale a tensor, by a calibration.
///
/// Some trainings put the scale of one layer into the weights of the next, so that the channels of a tensor differ a
/// thousandfold. Here every tensor that becomes bytes is divided by scales of its channels, which the convolutions
/// before and behind it take into their weights (Nagel et al., "Data-Free Quantization Through Weight Equalization and
/// Bias Correction", ICCV 2019); sums are of tensors with the same scales. What the network computes stays the same but
/// for rounding.
///
/// Unlike `Quantiser` it works on graphs, so that it does not matter what kind of file they come from. The conversions
/// that it adds are those that `QuantisationPass` replaces.
package struct ChannelQuantiser {
    /// A tensor divided by the scales of its channels.
    private struct Scaled {
        var value: Graph.ValueID
        var scales: [Float]
    }

    private let calibration: ChannelCalibration
    private var graph: Graph
    /// By the values of the network in floats.
    private var scaled: [Graph.ValueID: Scaled] = [:]
    /// The same multiplied by their scales, where something reads them so.
    private var restored: [Graph.ValueID: Graph.ValueID] = [:]
    private var name = ""
    /// The names of the calibration that the network has.
    private var known: Set<String> = []

    /// Returns a network in 8 bits.
    ///
    /// - Parameter graph: As it was imported, in floats, images with the channels last.
    /// - Throws: `ModelError` where the calibration is not that of the network.
    package static func quantised(_ graph: Graph, _ calibration: ChannelCalibration) throws -> Graph {
        for tensor in calibration.tensors.values {
            guard tensor.scales.allSatisfy({ $0.isFinite && $0 > 0 }), tensor.range.lowerBound.isFinite,
                tensor.range.upperBound.isFinite
            else { throw Self.mismatch }
        }
        var quantiser = ChannelQuantiser(calibration: calibration, graph: graph)
        quantiser.graph.nodes = []
        for node in graph.nodes {
            quantiser.name = node.name
            try ModelError.adding(node.context) { try quantiser.add(node) }
        }
        for index in graph.outputs.indices {
            quantiser.graph.outputs[index].value = try quantiser.floats(of: graph.outputs[index].value)
        }
        let named = Set(calibration.tensors.keys).union(calibration.corrections.keys)
        if let missing = named.subtracting(quantiser.known).min() {
            throw ModelError.invalid("it has no tensor “\(missing)”, which the calibration names")
        }
        return quantiser.graph
    }

    private init(calibration: ChannelCalibration, graph: Graph) {
        self.calibration = calibration
        self.graph = graph
    }

    private mutating func add(_ node: Graph.Node) throws {
        guard node.outputs.count == 1, let input = node.inputs.first ?? nil else { return try addUnchanged(node) }
        let source = scaled[input]
        switch node.operation {
        case let convolution as Convolution: try add(convolution, node)
        case let sum as BinaryOperation where sum.kind == .add:
            guard let source, let second = node.inputs[1].flatMap({ scaled[$0] }), second.scales == source.scales else {
                return try addUnchanged(node)
            }
            try define(node, as: graph.add(sum, [source.value, second.value], name: name), source.scales)
        case is Pad, is ResizeImage:
            guard let source, keepsChannels(node) else { return try addUnchanged(node) }
            let result = graph.add(node.operation, [source.value] + node.inputs.dropFirst(), name: name)
            try define(node, as: result, source.scales)
        case let operation as ActivationOperation:
            guard let source, let target = target(node), cuts(operation.activation, target) else {
                return try addUnchanged(node)
            }
            try define(node, as: source.value, source.scales)
        default: try addUnchanged(node)
        }
    }

    /// An operator on floats.
    private mutating func addUnchanged(_ node: Graph.Node) throws {
        var node = node
        for index in node.inputs.indices { node.inputs[index] = try node.inputs[index].map { try floats(of: $0) } }
        graph.nodes.append(node)
        try scale(node)
    }

    /// Divides the floats that a node has made by the scales, where they become bytes.
    private mutating func scale(_ node: Graph.Node) throws {
        guard let target = target(node) else { return }
        let factors = try constant(target.scales.map { 1 / $0 })
        let value = graph.add(BinaryOperation(kind: .mul), [node.outputs[0], factors], name: name)
        try define(node, as: value, target.scales)
    }

    private mutating func add(_ convolution: Convolution, _ node: Graph.Node) throws {
        let source = node.inputs[0].flatMap { scaled[$0] }
        let target = target(node)
        let correction = calibration.corrections[graph.values[node.outputs[0]].name]
        guard source != nil || target != nil else {
            guard correction == nil else { throw ModelError.invalid("its input does not become bytes") }
            return try addUnchanged(node)
        }
        let weights = node.inputs[1].flatMap { graph.values[$0].constant }
        guard let weights, var values = weights.floats, convolution.residual == .none, node.inputs.count <= 3 else {
            throw ModelError.unsupported("a convolution with computed weights in 8 bits")
        }
        let shape = try convolution.weightShape(weights.shape)
        var bias = correction ?? [Float](repeating: 0, count: shape.outputs)
        guard bias.count == shape.outputs else { throw Self.mismatch }
        if node.inputs.count > 2, let input = node.inputs[2] {
            guard let terms = graph.values[input].constant?.floats, terms.count == bias.count else {
                throw ModelError.unsupported("a convolution with a computed bias in 8 bits")
            }
            for channel in bias.indices { bias[channel] += terms[channel] }
        }
        if let source {
            guard source.scales.count == shape.inputs * convolution.groups else { throw Self.mismatch }
            shape.forEach(groups: convolution.groups) { index, input, _ in values[index] *= source.scales[input] }
        }
        // Divided by the scales of the result only where nothing has to be cut off before.
        let direct = target.flatMap { cuts(convolution.activation, $0) ? $0 : nil }
        if let direct {
            guard direct.scales.count == shape.outputs else { throw Self.mismatch }
            shape.forEach(groups: convolution.groups) { index, _, output in values[index] /= direct.scales[output] }
            for channel in bias.indices { bias[channel] /= direct.scales[channel] }
        }
        let kernel: Graph.ValueID
        if correction == nil {
            kernel = graph.addValue("\(name):weights", constant: try Tensor(values, shape: weights.shape))
        } else {
            guard source != nil else { throw ModelError.invalid("its input does not become bytes") }
            kernel = try bytes(of: values, shape, convolution, weights.shape)
        }
        let image = try source?.value ?? node.inputs[0].map { try floats(of: $0) }
        var operation = convolution
        // Convolutions of bytes to floats have no activation of their own.
        if direct != nil || correction != nil { operation.activation = Activation(.identity) }
        var result = graph.add(operation, [image, kernel, try constant(bias)], name: name)
        if let direct { return try define(node, as: result, direct.scales) }
        if operation.activation != convolution.activation {
            result = graph.add(ActivationOperation(activation: convolution.activation), [result], name: name)
        }
        graph.nodes[graph.nodes.count - 1].outputs = node.outputs
        try scale(node)
    }

    /// Signed bytes with a scale for each output channel.
    private mutating func bytes(
        of values: [Float], _ shape: Convolution.WeightShape, _ convolution: Convolution, _ tensorShape: Shape
    ) throws -> Graph.ValueID {
        var scales = [Float](repeating: 0, count: shape.outputs)
        shape.forEach(groups: convolution.groups) { index, _, output in
            scales[output] = max(scales[output], abs(values[index]) / 127)
        }
        guard scales.allSatisfy(\.isFinite) else { throw ModelError.invalid("its weights are not finite") }
        for channel in scales.indices where !(scales[channel].isNormal) { scales[channel] = 1 }
        var bytes = [Int8](repeating: 0, count: values.count)
        shape.forEach(groups: convolution.groups) { index, _, output in
            bytes[index] = Int8((values[index] / scales[output]).rounded(.toNearestOrEven))
        }
        let integers = graph.addValue("\(name):bytes", constant: try Tensor(bytes, shape: tensorShape))
        let axis = convolution.order == .ihwo ? 3 : 0
        return graph.add(DequantizeLinear(axis: axis), [integers, try constant(scales)], name: name)
    }

    /// Whether an operator makes the channels of its result of those of its input alone, whatever they are divided by:
    /// not so padding with another number than zero, or with channels.
    private func keepsChannels(_ node: Graph.Node) -> Bool {
        guard let pad = node.operation as? Pad else { return true }
        guard pad.mode == .constant, node.inputs.count == 2,
            let around = node.inputs[1].flatMap({ graph.values[$0].constant?.integers }), around.count == 8
        else { return false }
        return [0, 3, 4, 7].allSatisfy { around[$0] == 0 }
    }

    // MARK: Values

    private mutating func constant(_ values: [Float]) throws -> Graph.ValueID {
        graph.addValue("\(name):constant", constant: try Tensor(values))
    }

    /// What the calibration says of the result of a node.
    private mutating func target(_ node: Graph.Node) -> ChannelCalibration.ByteTensor? {
        let name = graph.values[node.outputs[0]].name
        if calibration.tensors[name] != nil || calibration.corrections[name] != nil { known.insert(name) }
        return calibration.tensors[name]
    }

    /// Whether bytes, which are cut off at the ends of their range, need no activation besides. They do where a scale
    /// goes beyond its upper bound, as the scale of a sum may.
    private func cuts(_ activation: Activation, _ target: ChannelCalibration.ByteTensor) -> Bool {
        switch activation.kind {
        case .identity: true
        case .clamp(let low, let high):
            low == 0 && target.range.lowerBound == 0
                && target.scales.allSatisfy { $0 * target.range.upperBound <= high }
        default: false
        }
    }

    /// Notes the result of a node, divided by scales, and turns it into bytes where the calibration says so.
    private mutating func define(_ node: Graph.Node, as value: Graph.ValueID, _ scales: [Float]) throws {
        var value = value
        if let target = target(node) {
            guard target.scales == scales else { throw Self.mismatch }
            let scale = QuantisedScale(range: target.range)
            let numbers = [
                graph.addValue("\(name):scale", constant: try Tensor([scale.scale], shape: [])),
                graph.addValue("\(name):zero", constant: try Tensor([UInt8(scale.zeroPoint)], shape: [])),
            ]
            let bytes = graph.add(QuantizeLinear(), [value] + numbers, name: name)
            value = graph.add(DequantizeLinear(), [bytes] + numbers, name: name)
        }
        scaled[node.outputs[0]] = Scaled(value: value, scales: scales)
    }

    /// A value of the network as the floats that it is about.
    private mutating func floats(of value: Graph.ValueID) throws -> Graph.ValueID {
        guard let source = scaled[value] else { return value }
        if let known = restored[value] { return known }
        let result = graph.add(
            BinaryOperation(kind: .mul), [source.value, try constant(source.scales)], name: graph.values[value].name)
        restored[value] = result
        return result
    }

    private static let mismatch = ModelError.invalid("the calibration has other channels")
}

extension Convolution.WeightShape {
    /// Goes through the weights: the index of each, and the channels of the image and of the result that it joins.
    func forEach(groups: Int, _ body: (_ index: Int, _ input: Int, _ output: Int) -> Void) {
        for output in 0..<outputs {
            let first = output / (outputs / groups) * inputs
            for input in 0..<inputs {
                for row in 0..<height {
                    for column in 0..<width {
                        body(
                            output * outputStep + input * inputStep + row * rowStep + column * columnStep,
                            first + input, output)
                    }
                }
            }
        }
    }
}
