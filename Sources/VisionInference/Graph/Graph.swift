/// A network as the importers make it and the passes change it.
package struct Graph: Sendable {
    /// The index of a value.
    package typealias ValueID = Int

    package struct Value: Sendable {
        package var name: String
        /// The value of weights and other constants.
        package var constant: Tensor?

        package init(name: String, constant: Tensor? = nil) {
            self.name = name
            self.constant = constant
        }
    }

    package struct Node: Sendable {
        /// As in the file: errors name it.
        package var name: String
        package var operation: any Operator
        /// nil for an optional input that is left out.
        package var inputs: [ValueID?]
        package var outputs: [ValueID]

        /// Where errors of the node happen.
        var context: ModelError.Context { ModelError.Context(operation: operation.name, node: name) }
    }

    /// An input or output of the network.
    package struct Port: Sendable {
        package var value: ValueID
        package var name: String
        package var type: ElementType
        /// nil where the file leaves a size open; nil altogether when it says nothing, as outputs may.
        package var shape: [Int?]?
        /// The file's names of the open sizes: two of one name are equal.
        package var symbols: [String?]

        package init(value: ValueID, name: String, type: ElementType, shape: [Int?]?, symbols: [String?] = []) {
            self.value = value
            self.name = name
            self.type = type
            self.shape = shape
            self.symbols = symbols
        }
    }

    package var values: [Value] = []
    /// Every node comes after those that make its inputs.
    package var nodes: [Node] = []
    package var inputs: [Port] = []
    package var outputs: [Port] = []
    /// What the file says about itself.
    package var metadata: [String: String] = [:]

    package init() {}

    package mutating func addValue(_ name: String, constant: Tensor? = nil) -> ValueID {
        values.append(Value(name: name, constant: constant))
        return values.count - 1
    }

    package mutating func addInput(_ name: String, _ type: ElementType, _ shape: [Int?]?, symbols: [String?] = [])
        -> ValueID
    {
        let value = addValue(name)
        inputs.append(Port(value: value, name: name, type: type, shape: shape, symbols: symbols))
        return value
    }

    package mutating func addOutput(_ value: ValueID, name: String, _ type: ElementType, _ shape: [Int?]? = nil) {
        outputs.append(Port(value: value, name: name, type: type, shape: shape))
    }

    /// Adds a node with one output, which gets the node's name unless it is given one.
    package mutating func add(
        _ operation: any Operator, _ inputs: [ValueID?], name: String, output: String? = nil
    ) -> ValueID {
        let value = addValue(output ?? name)
        nodes.append(Node(name: name, operation: operation, inputs: inputs, outputs: [value]))
        return value
    }

    /// The node that makes each value; nil for inputs and constants.
    package func producers() -> [Int?] {
        var result = [Int?](repeating: nil, count: values.count)
        for (index, node) in nodes.enumerated() {
            for output in node.outputs { result[output] = index }
        }
        return result
    }

    /// How often each value is read; an output of the network counts as once more.
    package func useCounts() -> [Int] {
        var result = [Int](repeating: 0, count: values.count)
        for node in nodes {
            for case let input? in node.inputs { result[input] += 1 }
        }
        for port in outputs { result[port.value] += 1 }
        return result
    }
}
