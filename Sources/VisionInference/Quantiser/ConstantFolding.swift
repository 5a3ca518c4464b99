/// Computes what a file makes of constants alone: weights that it stores in 8 bits with scales, or in half precision.
/// Only layers with constant weights are quantised.
enum ConstantFolding {
    private static let operators: Set<String> = ["Cast", "Identity", "Mul", "Unsqueeze"]

    static func run(_ model: inout ONNXModel) throws {
        let values = FileValues(model.graph)
        // These have to keep their names.
        let named = values.readWithin.union(model.graph.outputs.map(\.name))
        var known = Set(values.constants.keys)
        var folded: Set<Int> = []
        for (index, node) in model.graph.nodes.enumerated() {
            guard operators.contains(node.operatorType), node.domain.isEmpty, node.outputs.count == 1,
                !node.inputs.isEmpty, node.inputs.allSatisfy(known.contains), !named.contains(node.outputs[0])
            else { continue }
            folded.insert(index)
            known.insert(node.outputs[0])
        }
        guard !folded.isEmpty else { return }
        let makers = model.graph.nodes.indices.filter(folded.contains).map { model.graph.nodes[$0] }
        let rest = model.graph.nodes.indices.filter { !folded.contains($0) }.map { model.graph.nodes[$0] }
        let made = Set(makers.flatMap(\.outputs))
        let wanted = Set(rest.flatMap(\.inputs)).intersection(made).sorted()
        guard !wanted.isEmpty else { return model.graph.removeNodes(at: folded) }
        var part = model
        part.graph.nodes = rest.filter { $0.operatorType == "Constant" } + makers
        part.graph.inputs = []
        part.graph.outputs = wanted.map { ONNXValueInfo($0) }
        let results = try Session(graph: ONNXImporter.graph(part), options: .init(threads: 1)).run([:])
        // Indices and shapes stay as they are computed.
        var computed = Set(wanted)
        for name in wanted {
            guard let tensor = results[name], let floats = tensor.floats else { continue }
            model.graph.initialisers.append(try ONNXTensor(name, .float, Array(tensor.shape), floats))
            computed.remove(name)
        }
        for index in model.graph.nodes.indices.reversed() where folded.contains(index) {
            let node = model.graph.nodes[index]
            guard computed.contains(node.outputs[0]) else { continue }
            folded.remove(index)
            computed.formUnion(node.inputs)
        }
        model.graph.removeNodes(at: folded)
    }
}
