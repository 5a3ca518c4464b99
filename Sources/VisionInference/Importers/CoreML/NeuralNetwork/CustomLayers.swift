/// What a file says of a layer that a class of the program computes (`CustomLayerParams`).
package struct CustomLayerDescription: Sendable {
    package enum Parameter: Sendable {
        case double(Double)
        case string(String)
        case int(Int)
        case bool(Bool)
    }

    /// The name of the layer.
    package let name: String
    package let className: String
    package let parameters: [String: Parameter]
    /// The numbers of each weight as the file has them: floats, half floats, or whatever the class reads.
    package let weights: [ModelSlice]

    init(_ message: ProtobufMessage, name: String) throws {
        self.name = name
        className = try message.string(10)
        var parameters: [String: Parameter] = [:]
        for (key, value) in try message.map(30) {
            switch value.first(in: 10...50) {
            case 10?: parameters[key] = .double(try value.double(10))
            case 20?: parameters[key] = .string(try value.string(20))
            case 30?: parameters[key] = .int(try value.int(30))
            case 40?: parameters[key] = .int(try value.int(40))
            case 50?: parameters[key] = .bool(try value.bool(50))
            default: throw ModelError.damaged("the parameter “\(key)” of the custom layer “\(name)” has no value")
            }
        }
        self.parameters = parameters
        weights = try message.messages(20).map { weight in
            for field in [30, 2, 31] {
                if let slice = try weight.slice(field), slice.count > 0 { return slice }
            }
            return ModelSlice(ModelBytes(try weight.floats(1)))
        }
    }
}

/// Makes what computes a custom layer.
package typealias CustomLayerFactory = @Sendable (CustomLayerDescription) throws -> any CustomLayer

extension NeuralNetworkLayerDefinition {
    static let custom: [String: NeuralNetworkLayerDefinition] = [
        "custom": .init(
            lower: { layer in
                let instance = try layer.layer.weights.customLayer(layer.parameters, name: layer.name)
                let inputs = try layer.inputs.map { try layer.floats(layer.withSequence($0)) }
                let operation = CustomOperation(layer: instance, outputCount: layer.outputCount)
                return try layer.add(operation, inputs, outputs: layer.outputCount).map { output in
                    let shape = try layer.shape(output)
                    try layer.require(
                        layer.hasExactRanks || shape.count == 5,
                        "a custom layer gave the shape \(shape), where the file's version has five axes: sequence, "
                            + "batch, channel, row, column")
                    return try layer.withoutSequence(output)
                }
            })
    ]
}
