package import Foundation

/// Puts a model together node by node:
///
///     var builder = ONNXBuilder(opset: 17)
///     let x = builder.input("x", [1, 3, "height", "width"])
///     let w = try builder.initialiser("w", [8, 3, 3, 3], weights)
///     let y = builder.node("Conv", [x, w], ["pads": [1, 1, 1, 1]])
///     builder.output(builder.node("Relu", [y]))
///     let data = builder.data()
package struct ONNXBuilder: Sendable {
    package var model = ONNXModel()

    package init(opset: Int = 17, name: String = "graph", irVersion: Int64 = 8) {
        model.opsets = ["": opset]
        model.irVersion = irVersion
        model.graph.name = name
        model.producerName = "OpenVision"
    }

    /// An input of the model; returns its name.
    @discardableResult
    package mutating func input(
        _ name: String, _ shape: [ONNXDimension]?, _ type: ONNXDataType = .float
    ) -> String {
        model.graph.inputs.append(ONNXValueInfo(name, .tensor(type, shape: shape)))
        return name
    }

    /// Makes a value an output of the model.
    package mutating func output(_ name: String, _ shape: [ONNXDimension]? = nil, _ type: ONNXDataType = .float) {
        model.graph.outputs.append(ONNXValueInfo(name, .tensor(type, shape: shape)))
    }

    /// A constant; returns its name. Throws where the shape asks for another number of elements.
    @discardableResult
    package mutating func initialiser(_ name: String, _ shape: [Int], _ values: [Float]) throws -> String {
        try initialiser(name, .float, shape, elements: values)
    }

    /// A constant of 64-bit integers, the type of shapes, axes and indices.
    @discardableResult
    package mutating func initialiser(_ name: String, _ shape: [Int], _ values: [Int64]) throws -> String {
        try initialiser(name, .int64, shape, elements: values)
    }

    /// A constant of any type whose elements are as wide as those given.
    @discardableResult
    package mutating func initialiser<Element: BitwiseCopyable>(
        _ name: String, _ type: ONNXDataType, _ shape: [Int], elements: [Element]
    ) throws -> String {
        model.graph.initialisers.append(try ONNXTensor(name, type, shape, elements))
        return name
    }

    /// Adds a node with one output and returns the output's name; "" among the inputs is one left out.
    @discardableResult
    package mutating func node(
        _ operatorType: String, _ inputs: [String], _ attributes: KeyValuePairs<String, ONNXAttribute.Value> = [:],
        name: String? = nil, output: String? = nil, domain: String = ""
    ) -> String {
        let name = name ?? "\(operatorType)_\(model.graph.nodes.count)"
        let output = output ?? "\(name)_output"
        node(operatorType, inputs, outputs: [output], attributes, name: name, domain: domain)
        return output
    }

    /// Adds a node with any number of outputs.
    package mutating func node(
        _ operatorType: String, _ inputs: [String], outputs: [String],
        _ attributes: KeyValuePairs<String, ONNXAttribute.Value> = [:], name: String? = nil, domain: String = ""
    ) {
        var node = ONNXNode()
        node.name = name ?? "\(operatorType)_\(model.graph.nodes.count)"
        node.operatorType = operatorType
        node.domain = domain
        node.inputs = inputs
        node.outputs = outputs
        node.attributes = attributes.map { ONNXAttribute($0.key, $0.value) }
        model.graph.nodes.append(node)
    }

    package func data() -> Data { model.serialised() }
}

extension ONNXDimension: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    package init(integerLiteral value: Int) { self = .fixed(value) }
    package init(stringLiteral value: String) { self = .symbol(value) }
    package init(nilLiteral: ()) { self = .unknown }
}

extension ONNXAttribute.Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral
{
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Float) { self = .float(value) }
    package init(stringLiteral value: String) { self = .string(value) }

    /// A list of literals of one kind; an empty one is a list of integers, whole numbers among fractions are floats.
    package init(arrayLiteral elements: ONNXAttribute.Value...) {
        let strings = elements.compactMap { if case .string(let value) = $0 { value } else { nil } }
        let ints = elements.compactMap { if case .int(let value) = $0 { value } else { nil } }
        if !strings.isEmpty {
            self = .strings(strings)
        } else if ints.count == elements.count {
            self = .ints(ints)
        } else {
            self = .floats(
                elements.compactMap { element in
                    switch element {
                    case .float(let value): value
                    case .int(let value): Float(value)
                    default: nil
                    }
                })
        }
    }

    package static func ints(_ values: [Int]) -> Self { .ints(values.map { Int64($0) }) }
}
