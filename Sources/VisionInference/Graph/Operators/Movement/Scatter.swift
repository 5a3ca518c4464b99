/// What becomes of an element that updates are written to.
package enum ScatterReduction: Hashable, Sendable {
    case none, add, mul, max, min
}

extension NumericScalar {
    @inline(__always)
    fileprivate static func combined(_ old: Self, _ new: Self, _ reduction: ScatterReduction) -> Self {
        switch reduction {
        case .none: new
        case .add: Self(wide: add(old.wide, new.wide))
        case .mul: Self(wide: multiply(old.wide, new.wide))
        case .max: Self(wide: maximum(old.wide, new.wide))
        case .min: Self(wide: minimum(old.wide, new.wide))
        }
    }
}

/// The data (input 0) with the updates (input 2) written each at its own place, but along the axis at the place that the
/// indices (input 1) say.
package struct ScatterElements: NumericOperator {
    package var axis: Int
    package var reduction: ScatterReduction

    package init(axis: Int = 0, reduction: ScatterReduction = .none) {
        self.axis = axis
        self.reduction = reduction
    }

    package var name: String { "ScatterElements" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try required(inputs, 0)
        let indices = try requiredIndices(inputs, 1)
        let updates = try required(inputs, 2)
        let axis = try data.shape.resolvedAxis(axis)
        try check(updates.type == data.type, "updates of type \(updates.type) for data of type \(data.type)")
        try check(
            indices.shape.count == data.shape.count && updates.shape == indices.shape
                && indices.shape.indices.allSatisfy { $0 == axis || indices.shape[$0] <= data.shape[$0] },
            "indices of shape \(indices.shape), updates of shape \(updates.shape) for data of shape \(data.shape)")
        return .known([TensorDescription(data.type, data.shape)])
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let (indices, updates) = (try required(inputs, 1), try required(inputs, 2))
        outputs[0].base.copyMemory(from: data.base, byteCount: data.byteCount)
        let (source, target) = (updates.pointer(T.self), outputs[0].pointer(T.self))
        try forEachElement(of: indices, in: data.shape, axis: try data.shape.resolvedAxis(axis), name) {
            target[$1] = T.combined(target[$1], source[$0], reduction)
        }
    }
}

/// The data (input 0) with the updates (input 2) written at places that the last axis of the indices (input 1) lists.
package struct ScatterND: NumericOperator {
    package var reduction: ScatterReduction

    package init(reduction: ScatterReduction = .none) { self.reduction = reduction }

    package var name: String { "ScatterND" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try required(inputs, 0)
        let indices = try requiredIndices(inputs, 1)
        let updates = try required(inputs, 2)
        try check(updates.type == data.type, "updates of type \(updates.type) for data of type \(data.type)")
        guard let depth = indices.shape.last, depth <= data.shape.count,
            updates.shape == Shape(indices.shape.dropLast()) + data.shape[depth...]
        else {
            throw ModelError.invalid(
                "ScatterND: indices of shape \(indices.shape), updates of shape \(updates.shape), data of shape "
                    + "\(data.shape)")
        }
        return .known([TensorDescription(data.type, data.shape)])
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let (indices, updates) = (try required(inputs, 1), try required(inputs, 2))
        outputs[0].base.copyMemory(from: data.base, byteCount: data.byteCount)
        guard let depth = indices.shape.last, updates.elementCount > 0 else { return }
        let strides = data.shape.rowMajorStrides
        let inner = Shape(data.shape[depth...]).elementCount
        let (source, target) = (updates.pointer(T.self), outputs[0].pointer(T.self))
        for item in 0..<Shape(indices.shape.dropLast()).elementCount {
            var offset = 0
            for axis in 0..<depth {
                offset +=
                    try resolvedIndex(indices.index(at: item * depth + axis), data.shape[axis], name) * strides[axis]
            }
            for index in 0..<inner {
                target[offset + index] = T.combined(target[offset + index], source[item * inner + index], reduction)
            }
        }
    }
}
