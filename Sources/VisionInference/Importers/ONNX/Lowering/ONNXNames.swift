/// Checks that a model's names can be told apart, as ONNX demands (static single assignment): without that, which of
/// two values a node or a user gets would depend on the order in which they are looked up.
enum ONNXNames {
    /// - Throws: `ModelError.invalid`, which names the value or the node.
    static func check(_ model: ONNXModel) throws {
        var names = Set<String>()
        for output in model.graph.outputs where !names.insert(output.name).inserted {
            throw ModelError.invalid("the output “\(output.name)” is listed twice")
        }
        try check(model.graph)
        for function in model.functions {
            let inputs = try unique(function.inputs) { "the function \(function.name) has two inputs “\($0)”" }
            try check(function.nodes, inputs)
        }
    }

    /// A graph and those inside of its nodes. Outputs of an inner graph go by their position, so one value may be two
    /// of them; its own values may have the names of values outside.
    private static func check(_ graph: ONNXGraph) throws {
        let inputs = try unique(graph.inputs.map(\.name)) { "there are two inputs “\($0)”" }
        let constants = try unique(graph.initialisers.map(\.name)) { "there are two constants “\($0)”" }
        // A constant with the name of an input is its default value.
        try check(graph.nodes, inputs.union(constants))
    }

    private static func check(_ nodes: [ONNXNode], _ names: Set<String>) throws {
        var names = names
        for (index, node) in nodes.enumerated() {
            guard !node.operatorType.isEmpty else {
                throw ModelError.invalid("\(title(of: node, index)) names no operator (its op_type is empty)")
            }
            for case .graph(let graph) in node.attributes.map(\.value) { try check(graph) }
            for case .graphs(let graphs) in node.attributes.map(\.value) { try graphs.forEach { try check($0) } }
            // An empty name is an output that nobody wants.
            for output in node.outputs where !output.isEmpty && !names.insert(output).inserted {
                throw ModelError.invalid(
                    "\(title(of: node, index)) makes the value “\(output)”, which exists already: every value needs a "
                        + "name of its own")
            }
        }
    }

    private static func unique(_ names: [String], _ text: (String) -> String) throws -> Set<String> {
        var found = Set<String>()
        for name in names where !found.insert(name).inserted { throw ModelError.invalid(text(name)) }
        return found
    }

    /// Many exporters name no nodes.
    private static func title(of node: ONNXNode, _ index: Int) -> String {
        if !node.name.isEmpty { return "node “\(node.name)”" }
        let outputs = node.outputs.filter { !$0.isEmpty }
        return "node number \(index + 1)" + (outputs.first.map { ", which makes “\($0)”," } ?? "")
    }
}
