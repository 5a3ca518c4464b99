// What operators of one kind have in common, so that each states only what is its own.

/// Computes an element of the output from the one at the same position of the first input.
package protocol ElementwiseOperator: Operator {}

extension ElementwiseOperator {
    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        Sinking(replacement: self, inputs: [0], outputPermutations: [permutation])
    }
}

/// Computes an element of the output from those at the same position of all inputs, which are broadcast.
protocol BroadcastingOperator: Operator {}

extension BroadcastingOperator {
    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        let rank = outputs.first?.shape.count
        let listed = inputs.indices.filter { inputs[$0]?.shape.elementCount != 1 || inputs[$0]?.shape.count == rank }
        // One that has fewer axes than the output would be broadcast along others.
        guard !listed.isEmpty, listed.allSatisfy({ inputs[$0]?.shape.count == rank }) else { return nil }
        return Sinking(replacement: self, inputs: listed, outputPermutations: [permutation])
    }
}

/// Computes along one axis of the first input, and leaves the axes where they are.
protocol AxisOperator: Operator {
    /// Negative: from the end.
    var axis: Int { get set }
}

extension AxisOperator {
    /// The operator for what a transpose by `permutation` makes its input of.
    func before(_ permutation: [Int]) -> Self? {
        guard let axis = try? permutation.resolvedAxis(axis) else { return nil }
        var replacement = self
        replacement.axis = permutation[axis]
        return replacement
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        before(permutation).map {
            Sinking(replacement: $0, inputs: [0], outputPermutations: outputs.map { _ in permutation })
        }
    }
}

/// Makes floats of floats along an axis, as many and of the same type.
protocol FloatLineOperator: AxisOperator {
    /// Throws for parameters that make no sense.
    func checkParameters() throws
}

extension FloatLineOperator {
    func checkParameters() throws {}

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        _ = try input.shape.resolvedAxis(axis)
        try checkParameters()
        return .known([TensorDescription(input.type, input.shape)])
    }
}

/// Finds the axes of the first input through an `AxisOrder`, and leaves them where they are.
protocol OrderedOperator: Operator {
    var order: AxisOrder { get set }
}

extension OrderedOperator {
    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        var replacement = self
        replacement.order = order.before(permutation)
        return Sinking(replacement: replacement, inputs: [0], outputPermutations: [permutation])
    }
}

/// Takes axes of the first input out, or makes their size 1.
protocol ReducingOperator: Operator {
    var keepsDimensions: Bool { get }
}

extension ReducingOperator {
    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        (inputs.first ?? nil)?.shape.elementCount ?? 0
    }

    /// What is left of a transpose of the input when these axes are reduced before it.
    func reduced(_ permutation: [Int], over axes: Set<Int>) -> [Int] {
        guard !keepsDimensions else { return permutation }
        return remainingPermutation(permutation, remaining: permutation.indices.filter { !axes.contains($0) })
    }
}
