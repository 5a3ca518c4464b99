extension LayerNormalization: FloatOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        let normalised = Shape(input.shape[axis...])
        let areFull = inputs.dropFirst().allSatisfy { $0 == nil || $0?.shape.elementCount == normalised.elementCount }
        guard input.type == .float32, areFull, !input.shape.contains(0), normalised.elementCount <= 1 << 24 else {
            return PlainStep(operation: self)
        }
        return NormaliseRowsStep(
            rows: Shape(input.shape[..<axis]).elementCount, columns: normalised.elementCount, epsilon: epsilon)
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        let normalised = Shape(input.shape[axis...])
        let scale = BroadcastValues<T>(try required(inputs, 1), to: normalised)
        let bias = optional(inputs, 2).map { BroadcastValues<T>($0, to: normalised) }
        let count = normalised.elementCount
        guard count > 0 else { return }
        for row in 0..<input.elementCount / count {
            let source = input.pointer(T.self) + row * count
            let target = outputs[0].pointer(T.self) + row * count
            let (mean, variance) = moments(source, count)
            let inverse = 1 / (variance + Double(epsilon)).squareRoot()
            for index in 0..<count {
                let value = (source[index].double - mean) * inverse * scale[index]
                target[index] = T(double: value + (bias?[index] ?? 0))
            }
            for (output, value) in zip(outputs.dropFirst(), [mean, inverse]) {
                if output.type == .float64 {
                    output.pointer(Double.self)[row] = value
                } else {
                    output.pointer(Float.self)[row] = Float(value)
                }
            }
        }
    }
}

/// Values of a tensor as if it had the shape that it is broadcast to.
struct BroadcastValues<T: FloatScalar> {
    private let base: UnsafeMutablePointer<T>
    /// nil when the tensor has that shape.
    private let offsets: [Int]?

    init(_ view: TensorView, to shape: Shape) {
        base = view.pointer(T.self)
        guard view.elementCount != shape.elementCount else {
            offsets = nil
            return
        }
        var offsets = [Int](repeating: 0, count: shape.elementCount)
        let rows = StridedRows(shape, [shape.rowMajorStrides, view.shape.broadcastStrides(to: shape)])
        rows.forEach { position in
            for index in 0..<rows.count { offsets[position[0] + index] = position[1] + index * rows.steps[1] }
        }
        self.offsets = offsets
    }

    subscript(index: Int) -> Double { base[offsets?[index] ?? index].double }
}

/// Mean and variance of numbers that lie `step` apart.
func moments<T: FloatScalar>(_ source: UnsafePointer<T>, _ count: Int, step: Int = 1) -> (
    mean: Double, variance: Double
) {
    var sum = 0.0
    for index in 0..<count { sum += source[index &* step].double }
    let mean = sum / Double(count)
    var squares = 0.0
    for index in 0..<count {
        let difference = source[index &* step].double - mean
        squares += difference * difference
    }
    return (mean, squares / Double(count))
}
