/// A GELU that a file spells out as x × ½ × (1 + erf(x / √2)), found in the file's own graph.
struct GeluPattern {
    /// The nodes that read x, in the order of the graph.
    var readers: [Int]
    /// The name of x.
    var input: String

    /// - Parameters:
    ///   - product: The node whose result is the GELU.
    ///   - makers: The nodes that make values which nothing else reads, by the values' names; those of other values are
    ///     left out.
    ///   - scalar: Returns a constant of one element.
    init?(_ product: Int, _ graph: ONNXGraph, makers: [String: Int], scalar: (String) -> Float?) {
        func node(_ name: String, _ type: String) -> (index: Int, node: ONNXNode)? {
            guard let index = makers[name], graph.nodes[index].operatorType == type,
                graph.nodes[index].domain.isEmpty, type == "Erf" || graph.nodes[index].inputs.count == 2
            else { return nil }
            return (index, graph.nodes[index])
        }
        /// The two inputs of a node, in both orders.
        func orders(_ node: ONNXNode) -> [(String, String)] {
            [(node.inputs[0], node.inputs[1]), (node.inputs[1], node.inputs[0])]
        }
        /// x of 1 + erf(x / √2), and the node that divides it.
        func gate(_ name: String) -> (input: String, divider: Int)? {
            guard let sum = node(name, "Add") else { return nil }
            for (one, other) in orders(sum.node) where scalar(one) == 1 {
                guard let erf = node(other, "Erf"), let inner = erf.node.inputs.first else { continue }
                if let quotient = node(inner, "Div"), let root = scalar(quotient.node.inputs[1]),
                    abs(Double(root) - 2.0.squareRoot()) < 1e-4
                {
                    return (quotient.node.inputs[0], quotient.index)
                }
                guard let scaled = node(inner, "Mul") else { continue }
                for (root, x) in orders(scaled.node) {
                    if let root = scalar(root), abs(Double(root) - 0.5.squareRoot()) < 1e-4 { return (x, scaled.index) }
                }
            }
            return nil
        }
        let last = graph.nodes[product]
        guard last.operatorType == "Mul", last.domain.isEmpty, last.inputs.count == 2 else { return nil }
        for (first, second) in orders(last) {
            guard let inner = node(second, "Mul") else { continue }
            for (a, b) in orders(inner.node) {
                if scalar(first) == 0.5, let gate = gate(b), gate.input == a {
                    // ½ (x gate)
                    (readers, input) = ([gate.divider, inner.index].sorted(), a)
                    return
                }
                if scalar(a) == 0.5, let gate = gate(b), gate.input == first {
                    // x (½ gate)
                    (readers, input) = ([gate.divider, product].sorted(), first)
                    return
                }
                if scalar(a) == 0.5, let gate = gate(first), gate.input == b {
                    // (½ x) gate
                    (readers, input) = ([gate.divider, inner.index].sorted(), b)
                    return
                }
            }
        }
        return nil
    }
}
