extension MILNode {
    /// An operation on numbers, which truth values become for it.
    fileprivate func onNumbers(
        _ value: MILReference, _ body: (MILReference) throws -> MILReference
    ) throws -> MILReference {
        guard value.element == .bool else { return try body(value) }
        return try cast(body(cast(value, .int32)), .bool)
    }
}

extension Gather: MILOperator {
    func write(_ node: MILNode) throws {
        let axis = try node.shape(0).resolvedAxis(axis)
        let indices = try node.input(1)
        node.finish(
            try node.onNumbers(node.input(0)) { data in
                try node.add(
                    "gather",
                    [
                        "x": .value(data), "indices": .value(indices), "axis": .int(axis),
                        "batch_dims": .int(batchDimensions),
                    ], node.outputShape)
            })
    }
}

extension GatherElements: MILOperator {
    func write(_ node: MILNode) throws {
        let axis = try node.shape(0).resolvedAxis(axis)
        let (data, indices) = (node.shape(0), try node.input(1))
        guard data.indices.allSatisfy({ $0 == axis || data[$0] == indices.shape[$0] }) else {
            throw ModelError.unsupported("its indices have shape \(indices.shape) for data of shape \(data)")
        }
        node.finish(
            try node.onNumbers(node.input(0)) { data in
                try node.add(
                    "gather_along_axis", ["x": .value(data), "indices": .value(indices), "axis": .int(axis)],
                    node.outputShape)
            })
    }
}

extension GatherND: MILOperator {
    func write(_ node: MILNode) throws {
        let indices = try node.input(1)
        node.finish(
            try node.onNumbers(node.input(0)) { data in
                try node.add(
                    "gather_nd",
                    ["x": .value(data), "indices": .value(indices), "batch_dims": .int(batchDimensions)],
                    node.outputShape)
            })
    }
}

extension OneHot: MILOperator {
    func write(_ node: MILNode) throws {
        let indices = try node.cast(node.input(0), .int32)
        guard let values = try node.tensor(2, "values").doubles, values.count == 2 else {
            throw ModelError.invalid("no two values")
        }
        let axis = try node.outputShape.resolvedAxis(axis)
        let result = try node.add(
            "one_hot",
            [
                "indices": .value(indices), "one_hot_vector_size": .int(node.outputShape[axis]), "axis": .int(axis),
                "on_value": .float(Float(values[1])), "off_value": .float(Float(values[0])),
            ], node.outputShape, node.program.float)
        node.finish(try node.cast(result, node.program.element(node.outputs[0].type)))
    }
}

extension Trilu: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        let shift = node.has(1) ? try node.tensor(1, "diagonals").integers?.first ?? 0 : 0
        let sides = Shape(x.shape.suffix(2))
        var kept: [UInt8] = []
        for row in 0..<sides[0] {
            for column in 0..<sides[1] {
                // The diagonal may be stated further away than any element.
                let distance = column - row
                kept.append(upper ? (distance >= shift ? 1 : 0) : (distance <= shift ? 1 : 0))
            }
        }
        let mask = try Tensor(.bool, shape: sides, storage: Tensor(kept).storage)
        let zero = try node.scalar(0, like: x, "zero")
        node.finish(
            try node.add(
                "select", ["cond": .value(node.constant(mask, "mask")), "a": .value(x), "b": .value(zero)], x.shape,
                x.element))
    }
}
