internal import Foundation

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
    package var inPlaceInput: Int? { 0 }

    func checkParameters() throws { try check(p == 1 || p == 2, "p of \(p)") }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        forEachLine(try required(inputs, 0), outputs[0], axis: axis, T.self) { source, target, size, step in
            var sum = 0.0
            for index in 0..<size {
                let value = source[index * step].double
                sum += p == 1 ? value.magnitude : value * value
            }
            let norm = max(p == 1 ? sum : sum.squareRoot(), Double(epsilon))
            for index in 0..<size {
                target[index * step] = T(double: norm == 0 ? 0 : source[index * step].double / norm)
            }
        }
    }
}

/// Subtracts the mean over some axes and divides by the standard deviation (plus 1e-9).
package struct MeanVarianceNormalization: FloatOperator {
    package var axes: [Int]

    package init(axes: [Int] = [0, 2, 3]) { self.axes = axes }

    package var name: String { "MeanVarianceNormalization" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        _ = try resolvedAxes(axes, input.shape)
        return .known([TensorDescription(input.type, input.shape)])
    }

    package func sinking(
        _ permutation: [Int], _ inputs: [TensorDescription?], _ outputs: [TensorDescription]
    ) -> Sinking? {
        guard let axes = try? axes.map({ permutation[try permutation.resolvedAxis($0)] }) else { return nil }
        return Sinking(
            replacement: MeanVarianceNormalization(axes: axes), inputs: [0], outputPermutations: [permutation])
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axes = Set(try resolvedAxes(axes, input.shape))
        let strides = input.shape.rowMajorStrides
        let kept = input.shape.indices.filter { !axes.contains($0) }
        let reduced = input.shape.indices.filter { axes.contains($0) }
        let outer = StridedRows(kept.map { input.shape[$0] }, [kept.map { strides[$0] }])
        let inner = StridedRows(reduced.map { input.shape[$0] }, [reduced.map { strides[$0] }])
        let count = Double(inner.rowCount * inner.count)
        let (source, target) = (input.pointer(T.self), outputs[0].pointer(T.self))
        outer.forEach { row in
            for index in 0..<outer.count {
                let start = row[0] + index * outer.steps[0]
                func forEach(_ body: (Int) -> Void) {
                    inner.forEach { line in
                        for place in 0..<inner.count { body(start + line[0] + place * inner.steps[0]) }
                    }
                }
                var sum = 0.0
                forEach { sum += source[$0].double }
                let mean = sum / count
                var squares = 0.0
                forEach { squares += (source[$0].double - mean) * (source[$0].double - mean) }
                let deviation = (squares / count).squareRoot() + 1e-9
                forEach { target[$0] = T(double: (source[$0].double - mean) / deviation) }
            }
        }
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

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (alpha, beta, bias) = (Double(alpha), Double(beta), Double(bias))
        forEachLine(try required(inputs, 0), outputs[0], axis: axis, T.self) { source, target, channels, step in
            for channel in 0..<channels {
                let first = max(channel - (size - 1) / 2, 0)
                let last = min(channel + size / 2, channels - 1)
                var squares = 0.0
                for other in first...max(first, last) {
                    squares += source[other * step].double * source[other * step].double
                }
                let divisor = pow(bias + alpha / Double(size) * squares, beta)
                target[channel * step] = T(double: source[channel * step].double / divisor)
            }
        }
    }
}
