/// Gives the first input another shape, and leaves the elements where they are.
protocol ViewOperator: Operator {}

extension ViewOperator {
    package var isView: Bool { true }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int { 0 }
}

package struct Identity: ViewOperator, ElementwiseOperator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference { .known([try required(inputs, 0)]) }

    package func activation(_ inputs: [TensorDescription?]) -> Activation? { Activation(.identity) }
}

/// Dropout as it is when nothing is trained: the input, and if wanted a mask that keeps everything.
package struct Dropout: ViewOperator {
    package var hasMask = false

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        guard hasMask else { return .known([input]) }
        let ones = try Tensor([UInt8](repeating: 1, count: input.shape.elementCount))
        let mask = try Tensor(.bool, shape: input.shape, storage: ones.storage)
        return .known([input, TensorDescription(mask)])
    }
}

/// The shape is input 1: 0 keeps a size of the input (unless `allowZero`), −1 is what remains.
package struct Reshape: ViewOperator {
    package var allowZero: Bool

    package init(allowZero: Bool = false) { self.allowZero = allowZero }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        switch try integers(inputs, 1) {
        case .absent: throw ModelError.invalid("Reshape lacks its shape")
        case .unknown: return .dependsOnData
        case .values(let wanted):
            return .known([TensorDescription(input.type, try shape(wanted, of: input))])
        }
    }

    private func shape(_ wanted: [Int], of input: TensorDescription) throws -> Shape {
        var shape = wanted
        for (axis, size) in wanted.enumerated() where size == 0 && !allowZero {
            try check(axis < input.shape.count, "size 0 on axis \(axis) of an input with shape \(input.shape)")
            shape[axis] = input.shape[axis]
        }
        let open = shape.indices.filter { shape[$0] == -1 }
        try check(open.count <= 1 && shape.allSatisfy { $0 >= -1 }, "shape \(wanted)")
        let count = input.shape.elementCount
        if let axis = open.first {
            shape[axis] = 1
            let known = try shape.checkedElementCount(input.type)
            try check(known > 0 && count % known == 0, "shape \(input.shape) cannot become \(wanted)")
            shape[axis] = count / known
        }
        try check(
            try shape.checkedElementCount(input.type) == count, "shape \(input.shape) cannot become \(wanted)")
        return shape
    }
}

/// A matrix: the axes before `axis`, and the others.
package struct Flatten: ViewOperator {
    package var axis: Int

    package init(axis: Int = 1) { self.axis = axis }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let rank = input.shape.count
        let split = axis < 0 ? axis + rank : axis
        try check((0...rank).contains(split), "axis \(axis) of shape \(input.shape)")
        // An empty tensor may have large sizes beside the zero.
        let rows = try Shape(input.shape[..<split]).checkedElementCount(input.type)
        let columns = try Shape(input.shape[split...]).checkedElementCount(input.type)
        return .known([TensorDescription(input.type, [rows, columns])])
    }
}

/// Leaves out axes of size 1: those of input 1, or all.
package struct Squeeze: ViewOperator {
    var order = AxisOrder()

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        guard let axes = try axes(inputs) else { return .dependsOnData }
        try check(
            axes.allSatisfy { input.shape[$0] == 1 }, "axes \(axes) of shape \(input.shape) are not all of size 1")
        let shape = input.shape.indices.filter { !axes.contains($0) }.map { input.shape[$0] }
        return .known([TensorDescription(input.type, shape)])
    }

    private func axes(_ inputs: [TensorDescription?]) throws -> [Int]? {
        let input = try required(inputs, 0)
        switch try integers(inputs, 1) {
        case .absent: return input.shape.indices.filter { input.shape[$0] == 1 }
        case .unknown: return nil
        // An axis may be named twice, as in NumPy.
        case .values(let values): return try Set(values).map { order(try input.shape.resolvedAxis($0)) }
        }
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        guard let axes = try? axes(inputs), let input = inputs.first ?? nil else { return nil }
        var replacement = self
        replacement.order = order.before(permutation)
        let remaining = input.shape.indices.filter { !axes.contains($0) }
        return Sinking(
            replacement: replacement, inputs: [0],
            outputPermutations: [remainingPermutation(permutation, remaining: remaining)])
    }
}

/// If axes are taken out of a transposed tensor and `remaining` are left, the transpose of what is left when the same
/// are taken out before.
func remainingPermutation(_ permutation: [Int], remaining: [Int]) -> [Int] {
    let before = remaining.map { permutation[$0] }
    let sorted = before.sorted()
    return before.map { axis in sorted.firstIndex(of: axis) ?? 0 }
}

/// Puts axes of size 1 in, where input 1 says; it counts axes of the output.
package struct Unsqueeze: ViewOperator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        guard let axes = try axes(inputs) else { return .dependsOnData }
        var sizes = input.shape[...]
        var shape: Shape = []
        for axis in 0..<input.shape.count + axes.count {
            if axes.contains(axis) { shape.append(1) } else if let size = sizes.popFirst() { shape.append(size) }
        }
        return .known([TensorDescription(input.type, shape)])
    }

    private func axes(_ inputs: [TensorDescription?]) throws -> Set<Int>? {
        let input = try required(inputs, 0)
        switch try integers(inputs, 1) {
        case .absent: throw ModelError.invalid("Unsqueeze lacks its axes")
        case .unknown: return nil
        case .values(let values):
            let rank = input.shape.count + values.count
            try check(rank <= ModelLimits.rank, "too many axes")
            return Set(try resolvedAxes(values, Shape(repeating: 1, count: rank)))
        }
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        guard let axes = try? axes(inputs) else { return nil }
        let rank = permutation.count + axes.count
        let others = (0..<rank).filter { !axes.contains($0) }
        var result = Array(0..<rank)
        for (position, axis) in zip(others, permutation) { result[position] = others[axis] }
        return Sinking(replacement: self, inputs: [0], outputPermutations: [result])
    }
}
