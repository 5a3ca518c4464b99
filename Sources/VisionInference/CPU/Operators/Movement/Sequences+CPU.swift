/// Reverses the first elements along the time axis of every batch; input 1 says how many.
package struct ReverseSequence: Operator {
    package var batchAxis: Int
    package var timeAxis: Int

    package init(batchAxis: Int = 1, timeAxis: Int = 0) {
        self.batchAxis = batchAxis
        self.timeAxis = timeAxis
    }

    package var name: String { "ReverseSequence" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let lengths = try requiredIndices(inputs, 1)
        let batch = try input.shape.resolvedAxis(batchAxis)
        let time = try input.shape.resolvedAxis(timeAxis)
        try check(batch != time, "batch and time are both axis \(batch)")
        try check(lengths.shape == [input.shape[batch]], "lengths of shape \(lengths.shape)")
        return .known([TensorDescription(input.type, input.shape)])
    }

    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let lengths = try required(inputs, 1)
        let shape = input.shape
        let (batch, time) = (try shape.resolvedAxis(batchAxis), try shape.resolvedAxis(timeAxis))
        guard !shape.contains(0) else { return }
        let last = max(batch, time)
        let bytes = Shape(shape[(last + 1)...]).elementCount * input.type.size
        let outer = Shape(shape[...last])
        let strides = outer.rowMajorStrides
        for place in 0..<outer.elementCount {
            let length = lengths.index(at: place / strides[batch] % shape[batch])
            try check((0...shape[time]).contains(length), "length \(length) of \(shape[time])")
            let index = place / strides[time] % shape[time]
            let other = index < length ? length - 1 - index : index
            (outputs[0].base + place * bytes).copyMemory(
                from: input.base + (place + (other - index) * strides[time]) * bytes, byteCount: bytes)
        }
    }
}

/// Sums of all elements up to each along an axis, which input 1 names.
package struct CumSum: NumericOperator {
    /// Each sum leaves its own element out.
    package var exclusive: Bool
    /// From the end.
    package var reverse: Bool

    package init(exclusive: Bool = false, reverse: Bool = false) {
        self.exclusive = exclusive
        self.reverse = reverse
    }

    package var name: String { "CumSum" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        switch try integer(inputs, 1) {
        case .absent: throw ModelError.invalid("CumSum lacks its axis")
        case .unknown: break
        case .values(let values): _ = try input.shape.resolvedAxis(values[0])
        }
        return .known([TensorDescription(input.type, input.shape)])
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(integers(inputs, 1)?.first ?? 0)
        forEachLine(input, outputs[0], axis: axis, T.self) { source, target, size, step in
            var sum = T(double: 0).wide
            for position in 0..<size {
                let place = (reverse ? size - 1 - position : position) * step
                let next = T.add(sum, source[place].wide)
                target[place] = T(wide: exclusive ? sum : next)
                sum = next
            }
        }
    }
}
