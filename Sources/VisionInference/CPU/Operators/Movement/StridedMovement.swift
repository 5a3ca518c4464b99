extension Concat: CopyingOperator {
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy] {
        let axis = try outputs[0].shape.resolvedAxis(axis)
        let strides = outputs[0].shape.rowMajorStrides
        var position = 0
        return try inputs.indices.map { index in
            let shape = try required(inputs, index).shape
            defer { position += shape[axis] }
            return StridedCopy(
                input: index, shape, to: strides, toOffset: position &* strides[axis], from: shape.rowMajorStrides)
        }
    }
}

extension Split: CopyingOperator {
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy] {
        let shape = try required(inputs, 0).shape
        let axis = try shape.resolvedAxis(axis)
        let strides = shape.rowMajorStrides
        var position = 0
        return outputs.indices.map { index in
            let part = outputs[index].shape
            defer { position += part[axis] }
            return StridedCopy(
                output: index, part, to: part.rowMajorStrides, from: strides, fromOffset: position &* strides[axis])
        }
    }
}

extension Expand: CopyingOperator {
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy] {
        let shape = outputs[0].shape
        return [
            StridedCopy(
                shape, to: shape.rowMajorStrides, from: try required(inputs, 0).shape.broadcastStrides(to: shape))
        ]
    }
}

extension Tile: CopyingOperator {
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy] {
        let input = try required(inputs, 0).shape
        let output = outputs[0].shape
        guard !output.contains(0) else { return [] }
        let (from, to) = (input.rowMajorStrides, output.rowMajorStrides)
        var shape: Shape = []
        var source: [Int] = []
        var target: [Int] = []
        for axis in input.indices {
            shape += [output[axis] / input[axis], input[axis]]
            source += [0, from[axis]]
            target += [input[axis] * to[axis], to[axis]]
        }
        return [StridedCopy(shape, to: target, from: source)]
    }
}

extension Slice: CopyingOperator {
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy] {
        guard let part = try part(inputs), !part.shape.contains(0) else { return [] }
        let strides = try required(inputs, 0).shape.rowMajorStrides
        return [
            StridedCopy(
                part.shape, to: part.shape.rowMajorStrides, from: zip(strides, part.steps).map { $0 &* $1 },
                fromOffset: zip(strides, part.starts).reduce(0) { $0 + $1.0 * $1.1 })
        ]
    }
}

extension Transpose: CopyingOperator {
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy] {
        let shape = try required(inputs, 0).shape
        let strides = shape.rowMajorStrides.permuted(try permutation(rank: shape.count))
        return [StridedCopy(outputs[0].shape, to: outputs[0].shape.rowMajorStrides, from: strides)]
    }
}
