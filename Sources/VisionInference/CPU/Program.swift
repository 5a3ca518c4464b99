/// A network prepared for one set of input shapes: the steps in order and where everything lies in the arena.
package final class Program: Sendable {
    /// Where a value is when the network runs.
    enum Location: Sendable {
        /// In the arena, at this offset.
        case arena(Int)
        case constant(Tensor)
        /// Made during the run, because its shape depends on data.
        case dynamic
    }

    struct PreparedNode: Sendable {
        let node: Graph.Node
        /// nil when the shapes of the inputs are not known before the run.
        let step: (any Step)?
        let inputs: [TensorDescription?]
        let outputs: [TensorDescription]
    }

    let nodes: [PreparedNode]
    let locations: [Location?]
    let descriptions: [TensorDescription?]
    let inputs: [Graph.Port]
    let outputs: [Graph.Port]
    /// Start of the scratch memory, which is the arena's last part, and the whole arena's bytes.
    let scratchOffset: Int
    let arenaBytes: Int
    /// Threads that the scratch memory is enough for.
    let threads: Int

    /// Prepares every step and plans the memory.
    package init(_ shaped: ShapedGraph, threads: Int, preparation: Preparation) throws {
        let graph = shaped.graph
        self.threads = threads
        inputs = graph.inputs
        outputs = graph.outputs
        nodes = try graph.nodes.map { node in
            let inputs = shaped.descriptions(node.inputs)
            let outputs = node.outputs.compactMap { shaped[$0] }
            let isKnown =
                outputs.count == node.outputs.count
                && zip(node.inputs, inputs).allSatisfy { $0 == nil || $1 != nil }
            let isView = node.operation.isView && isKnown
            return PreparedNode(
                node: node,
                step: !isKnown || isView
                    ? nil
                    : try ModelError.adding(node.context) {
                        try CPUEvaluator.implementation(of: node.operation).prepare(inputs, outputs, preparation)
                    },
                inputs: inputs, outputs: isKnown ? outputs : [])
        }
        descriptions = graph.values.indices.map { shaped[$0] }
        let layout = try ArenaLayout(graph, nodes, descriptions)
        locations = layout.locations
        scratchOffset = layout.byteCount
        let scratch = nodes.reduce(0) { max($0, $1.step?.scratchBytes(threads: threads) ?? 0) }
        arenaBytes = scratchOffset + scratch
        guard arenaBytes <= ModelLimits.arenaBytes else {
            throw ModelError.tooLarge("the network needs \(arenaBytes >> 20) MiB to run")
        }
    }
}

/// Where each value of a program lies, views and results in place included.
private struct ArenaLayout {
    private(set) var locations: [Program.Location?]
    private(set) var byteCount = 0

    init(_ graph: Graph, _ nodes: [Program.PreparedNode], _ descriptions: [TensorDescription?]) throws {
        // `root` is the value whose memory a value uses.
        var root = Array(graph.values.indices)
        var lastUse = [Int](repeating: -1, count: graph.values.count)
        for (index, prepared) in nodes.enumerated() {
            for case let input? in prepared.node.inputs { lastUse[input] = index }
        }
        for port in graph.outputs { lastUse[port.value] = nodes.count }
        var firstUse = [Int](repeating: -1, count: graph.values.count)
        for (index, prepared) in nodes.enumerated() {
            for output in prepared.node.outputs { firstUse[output] = index }
            guard let input = Self.sharedInput(prepared, descriptions), let value = prepared.node.inputs[input] else {
                continue
            }
            let output = prepared.node.outputs[0]
            let base = root[value]
            if prepared.node.operation.isView {
                root[output] = base
                lastUse[base] = max(lastUse[base], lastUse[output])
            } else if lastUse[base] == index, descriptions[base]?.constant == nil,
                prepared.node.inputs.filter({ other in other.map { root[$0] == base } ?? false }).count == 1
            {
                root[output] = base
                lastUse[base] = lastUse[output]
            }
        }
        locations = [Program.Location?](repeating: nil, count: graph.values.count)
        var owners: [Int] = []
        var blocks: [MemoryPlan.Block] = []
        let inputs = Set(graph.inputs.map(\.value))
        for value in graph.values.indices where root[value] == value {
            // Passes leave values behind that nothing makes or reads any longer.
            guard firstUse[value] >= 0 || lastUse[value] >= 0 || inputs.contains(value) else { continue }
            guard let description = descriptions[value] else {
                locations[value] = .dynamic
                continue
            }
            if let constant = description.constant {
                locations[value] = .constant(constant)
                continue
            }
            let last = max(lastUse[value], firstUse[value])
            owners.append(value)
            blocks.append(
                MemoryPlan.Block(
                    bytes: description.shape.elementCount * description.type.size, first: firstUse[value], last: last))
        }
        let plan = try MemoryPlan(blocks)
        byteCount = plan.byteCount
        for (owner, offset) in zip(owners, plan.offsets) { locations[owner] = .arena(offset) }
        for value in graph.values.indices where root[value] != value { locations[value] = locations[root[value]] }
    }

    /// The input whose memory the first output can use.
    private static func sharedInput(_ prepared: Program.PreparedNode, _ descriptions: [TensorDescription?]) -> Int? {
        guard !prepared.outputs.isEmpty else { return nil }
        if prepared.node.operation.isView { return 0 }
        guard let input = (prepared.node.operation as? any CPUOperator)?.inPlaceInput,
            input < prepared.node.inputs.count,
            let value = prepared.node.inputs[input], let description = descriptions[value],
            description.shape.elementCount == prepared.outputs[0].shape.elementCount,
            description.type.size == prepared.outputs[0].type.size
        else { return nil }
        return input
    }
}
