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

extension ScatterElements: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let (indices, updates) = (try required(inputs, 1), try required(inputs, 2))
        copyBytes(data.byteCount, from: data.base, to: outputs[0].base)
        let (source, target) = (updates.pointer(T.self), outputs[0].pointer(T.self))
        try forEachElement(of: indices, in: data.shape, axis: try data.shape.resolvedAxis(axis), name) {
            target[$1] = T.combined(target[$1], source[$0], reduction)
        }
    }
}

extension ScatterND: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let (indices, updates) = (try required(inputs, 1), try required(inputs, 2))
        copyBytes(data.byteCount, from: data.base, to: outputs[0].base)
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

extension TensorScatter: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (cache, update) = (try required(inputs, 0), try required(inputs, 1))
        copyBytes(cache.byteCount, from: cache.base, to: outputs[0].base)
        guard update.elementCount > 0 else { return }
        let axis = try cache.shape.resolvedAxis(axis)
        let (size, count) = (cache.shape[axis], update.shape[axis])
        let bytes = Shape(cache.shape[(axis + 1)...]).elementCount * cache.type.size
        let rows = Shape(cache.shape[..<axis]).elementCount
        for row in 0..<rows {
            let start = optional(inputs, 2)?.index(at: row / (rows / cache.shape[0])) ?? 0
            try check(start >= 0 && start < max(size, 1) && (isCircular || start <= size - count), "index \(start)")
            for index in 0..<count {
                let position = (start + index) % size
                copyBytes(
                    bytes, from: update.base + (row * count + index) * bytes,
                    to: outputs[0].base + (row * size + position) * bytes)
            }
        }
    }
}
