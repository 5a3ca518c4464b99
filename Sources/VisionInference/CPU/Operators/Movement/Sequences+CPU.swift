extension ReverseSequence: PlainOperator {
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
        for slot in 0..<outer.elementCount {
            let length = lengths.index(at: slot / strides[batch] % shape[batch])
            try check((0...shape[time]).contains(length), "length \(length) of \(shape[time])")
            let index = slot / strides[time] % shape[time]
            let other = index < length ? length - 1 - index : index
            copyBytes(
                bytes, from: input.base + (slot + (other - index) * strides[time]) * bytes,
                to: outputs[0].base + slot * bytes)
        }
    }
}

extension CumSum: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(integers(inputs, 1)?.first ?? 0)
        forEachLine(input, outputs[0], axis: axis, T.self) { source, target, size, step in
            var sum = T(double: 0).wide
            for position in 0..<size {
                let slot = (reverse ? size - 1 - position : position) * step
                let next = T.add(sum, source[slot].wide)
                target[slot] = T(wide: exclusive ? sum : next)
                sum = next
            }
        }
    }
}
