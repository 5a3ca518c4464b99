/// Divides lines along an axis by their sum of magnitudes (p = 1) or their length (p = 2). Lines of zeros stay.
package struct LpNormalization: FloatLineOperator {
    package var axis: Int
    package var p: Int
    /// The least number that is divided by: 0 in ONNX.
    package var epsilon: Float

    package init(axis: Int = -1, p: Int = 2, epsilon: Float = 0) {
        self.axis = axis
        self.p = p
        self.epsilon = epsilon
    }

    package var name: String { "LpNormalization" }

    func checkParameters() throws { try check(p == 1 || p == 2, "p of \(p)") }
}

/// Subtracts the mean over some axes and divides by the standard deviation (plus 1e-9).
package struct MeanVarianceNormalization: Operator {
    package var axes: [Int]

    package init(axes: [Int] = [0, 2, 3]) { self.axes = axes }

    package var name: String { "MeanVarianceNormalization" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        _ = try resolvedAxes(axes, input.shape)
        return .known([TensorDescription(input.type, input.shape)])
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        guard let axes = try? axes.map({ permutation[try permutation.resolvedAxis($0)] }) else { return nil }
        return Sinking(
            replacement: MeanVarianceNormalization(axes: axes), inputs: [0], outputPermutations: [permutation])
    }
}

/// Local response normalisation: x / (bias + alpha / size · the sum of squares of `size` channels around x) ^ beta.
package struct LRN: FloatLineOperator {
    package var axis: Int
    package var size: Int
    package var alpha: Float
    package var beta: Float
    package var bias: Float

    package init(axis: Int = 1, size: Int, alpha: Float = 1e-4, beta: Float = 0.75, bias: Float = 1) {
        self.axis = axis
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.bias = bias
    }

    package var name: String { "LRN" }

    func checkParameters() throws { try check((1...1 << 20).contains(size), "size \(size)") }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        (size + 3) * (outputs.first?.shape.elementCount ?? 0)
    }
}
