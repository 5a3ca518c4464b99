/// Puts tensors behind each other along an axis.
package struct Concat: AxisOperator {
    package var axis: Int

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let first = try required(inputs, 0)
        let axis = try first.shape.resolvedAxis(axis)
        var shape = first.shape
        for index in inputs.indices.dropFirst() {
            let input = try required(inputs, index)
            try check(input.type == first.type, "inputs of types \(first.type) and \(input.type)")
            var other = input.shape
            try check(other.count == shape.count, "shapes \(first.shape) and \(input.shape)")
            let (size, overflow) = shape[axis].addingReportingOverflow(other[axis])
            try check(!overflow, "shapes \(first.shape) and \(input.shape)")
            other[axis] = shape[axis]
            try check(other == shape, "shapes \(first.shape) and \(input.shape)")
            shape[axis] = size
        }
        _ = try shape.checkedElementCount(first.type)
        return .known([TensorDescription(first.type, shape)])
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        before(permutation).map {
            Sinking(replacement: $0, inputs: Array(inputs.indices), outputPermutations: [permutation])
        }
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int { 0 }
}

/// Cuts a tensor along an axis: into the sizes that input 1 lists, else into equal parts, the last of which may be
/// smaller.
package struct Split: AxisOperator {
    package var axis: Int
    package var outputs: Int

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        let size = input.shape[axis]
        try check(outputs > 0 && outputs <= ModelLimits.nodes, "\(outputs) outputs")
        var sizes: [Int]
        switch try listedSizes(inputs) {
        case .unknown: return .dependsOnData
        case .values(let values):
            try check(values.count == outputs, "\(values.count) sizes for \(outputs) outputs")
            sizes = values
        case .absent:
            let part = (size + outputs - 1) / outputs
            try check(size == 0 || part * (outputs - 1) <= size, "\(outputs) parts of size \(size)")
            sizes = [Int](repeating: part, count: outputs)
            sizes[outputs - 1] = size - part * (outputs - 1)
        }
        var sum = 0
        for part in sizes {
            try check(part >= 0 && part <= size - sum, "sizes \(sizes) of \(size)")
            sum += part
        }
        try check(sum == size, "sizes \(sizes) of \(size)")
        return .known(
            sizes.map { part in
                var shape = input.shape
                shape[axis] = part
                return TensorDescription(input.type, shape)
            })
    }

    /// There may be more sizes than an operator usually has numbers in an input.
    private func listedSizes(_ inputs: [TensorDescription?]) throws -> IntegersInput {
        guard isPresent(inputs, 1), let input = inputs[1] else { return .absent }
        try check(input.shape.count == 1 && !input.type.isFloat, "sizes of type \(input.type), shape \(input.shape)")
        return input.constant?.integers.map { .values($0) } ?? .unknown
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int { 0 }
}
