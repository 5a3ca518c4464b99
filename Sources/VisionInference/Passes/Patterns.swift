/// Finds activations that files spell out in several operators.
package enum Patterns {
    package static func run(_ graph: inout ShapedGraph) throws {
        let producers = graph.graph.producers()
        let uses = graph.graph.useCounts()
        let nodes = graph.graph.nodes
        let before = graph
        /// The node that makes a value which nobody else reads.
        func maker(_ value: Graph.ValueID?) -> Graph.Node? {
            guard let value, uses[value] == 1 else { return nil }
            return producers[value].map { nodes[$0] }
        }
        func scalar(_ value: Graph.ValueID?) -> Float? {
            guard let value, let constant = before[value]?.constant, constant.elementCount == 1 else { return nil }
            return constant.floats?.first
        }
        /// What `value` is of another value when it is an activation of it.
        func activation(_ value: Graph.ValueID?) -> (Activation, of: Graph.ValueID)? {
            guard let node = maker(value), let input = node.inputs[0],
                let activation = node.operation.activation(before.descriptions(node.inputs))
            else { return nil }
            return (activation, input)
        }
        /// min(max(x + 3, 0), 6) of x.
        func shiftedClamp(_ value: Graph.ValueID?) -> Graph.ValueID? {
            guard let (clamp, inner) = activation(value), clamp.kind == .clamp(low: 0, high: 6), let sum = maker(inner),
                (sum.operation as? BinaryOperation)?.kind == .add
            else { return nil }
            for position in 0...1 where scalar(sum.inputs[1 - position]) == 3 { return sum.inputs[position] }
            return nil
        }
        func match(_ node: Graph.Node) -> (Activation, Graph.ValueID)? {
            guard let binary = node.operation as? BinaryOperation else { return nil }
            switch binary.kind {
            case .mul:
                if let x = gelu(node) { return (Activation(.gelu), x) }
                for position in 0...1 {
                    guard let x = node.inputs[position] else { continue }
                    let other = node.inputs[1 - position]
                    if let (gate, of) = activation(other), of == x {
                        switch gate.kind {
                        case .sigmoid: return (Activation(.silu(alpha: 1)), x)
                        case .hardSigmoid(let alpha, 0.5) where abs(alpha - 1 / 6) < 1e-6:
                            return (Activation(.hardSwish), x)
                        default: continue
                        }
                    }
                    // x tanh(softplus(x))
                    if let (outer, inner) = activation(other), outer.kind == .tanh, let (soft, of) = activation(inner),
                        soft.kind == .softplus, of == x
                    {
                        return (Activation(.mish), x)
                    }
                    // x (clamp(x + 3, 0, 6) / 6), and (x clamp(x + 3, 0, 6)) (1 / 6)
                    if let quotient = maker(other), isSixth(quotient, scalar),
                        let gate = shiftedClamp(quotient.inputs[0]), gate == x
                    {
                        return (Activation(.hardSwish), x)
                    }
                    if let factor = scalar(other), abs(factor - 1 / 6) < 1e-6, let found = gated(node.inputs[position])
                    {
                        return (Activation(.hardSwish), found)
                    }
                }
                return nil
            case .div:
                guard scalar(node.inputs[1]) == 6, let found = gated(node.inputs[0]) else { return nil }
                return (Activation(.hardSwish), found)
            default: return nil
            }
        }
        func gated(_ value: Graph.ValueID?) -> Graph.ValueID? {
            guard let product = maker(value), (product.operation as? BinaryOperation)?.kind == .mul else { return nil }
            for position in 0...1 {
                if let x = product.inputs[position], shiftedClamp(product.inputs[1 - position]) == x { return x }
            }
            return nil
        }
        /// 1 + erf(x / √2) of x.
        func normalGate(_ value: Graph.ValueID?) -> Graph.ValueID? {
            guard let sum = maker(value), (sum.operation as? BinaryOperation)?.kind == .add,
                let one = (0...1).first(where: { scalar(sum.inputs[$0]) == 1 }), let erf = maker(sum.inputs[1 - one]),
                (erf.operation as? UnaryOperation)?.kind == .erf, let inner = maker(erf.inputs[0])
            else { return nil }
            switch (inner.operation as? BinaryOperation)?.kind {
            case .div: return isNear(scalar(inner.inputs[1]), 2.0.squareRoot()) ? inner.inputs[0] : nil
            case .mul:
                return (0...1).first { isNear(scalar(inner.inputs[$0]), 0.5.squareRoot()) }
                    .flatMap { inner.inputs[1 - $0] }
            default: return nil
            }
        }
        /// x of a product of x, ½ and the gate, in any order.
        func gelu(_ product: Graph.Node) -> Graph.ValueID? {
            for position in 0...1 {
                let (first, second) = (product.inputs[position], product.inputs[1 - position])
                guard let inner = maker(second), (inner.operation as? BinaryOperation)?.kind == .mul else { continue }
                for (a, b) in [(inner.inputs[0], inner.inputs[1]), (inner.inputs[1], inner.inputs[0])] {
                    if scalar(first) == 0.5, let x = normalGate(b), a == x { return x }
                    if scalar(a) == 0.5, let x = normalGate(b), first == x { return x }
                    if scalar(a) == 0.5, let x = normalGate(first), b == x { return x }
                }
            }
            return nil
        }
        try graph.rewrite { graph, node in
            var node = node
            if let (activation, input) = match(node), graph[input]?.type == .float32 {
                node.operation = ActivationOperation(activation: activation)
                node.inputs = [input]
            }
            try graph.append(node)
        }
        try DeadCode.run(&graph)
    }

    /// Equal but for the digits that a file leaves out.
    private static func isNear(_ value: Float?, _ number: Double) -> Bool {
        value.map { abs(Double($0) - number) < 1e-4 } ?? false
    }

    private static func isSixth(_ node: Graph.Node, _ scalar: (Graph.ValueID?) -> Float?) -> Bool {
        guard let kind = (node.operation as? BinaryOperation)?.kind, let value = scalar(node.inputs[1]) else {
            return false
        }
        return kind == .div ? value == 6 : kind == .mul && abs(value - 1 / 6) < 1e-6
    }
}
