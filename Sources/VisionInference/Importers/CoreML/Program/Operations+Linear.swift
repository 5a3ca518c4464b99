extension ProgramDefinition {
    static let linear: [String: ProgramDefinition] = [
        "linear": .init { operation in
            try operation.linear(
                operation.floats(operation.value()), operation.floats(operation.value("weight")),
                operation.optional("bias"))
        },
        "einsum": .init { operation in
            let values = try operation.values().map { try operation.floats($0) }
            return try operation.sumOfProducts(operation.text("equation", ""), values)
        },
        "matmul": .init { operation in
            try operation.product(
                operation.floats(operation.value("x")), operation.floats(operation.value("y")),
                transposesA: operation.bool("transpose_x"), transposesB: operation.bool("transpose_y"))
        },
        "scaled_dot_product_attention": .init { operation in
            let (query, key) = (try operation.value("query"), try operation.value("key"))
            let depth = try operation.shape(query).last ?? 1
            let products = try operation.product(query, key, transposesA: false, transposesB: true)
            var scores = try operation.affine(products, 1 / Float(depth).squareRoot(), 0)
            if let mask = operation.optional("attn_mask") {
                let isTruth = try operation.type(mask) == .bool
                scores =
                    isTruth
                    ? try operation.add(
                        Where(), [mask, scores, operation.scalar(-3e4, like: scores)])
                    : try operation.binary(.add, scores, mask)
            }
            let shares = try operation.add(Softmax(axis: -1), [scores])
            return try operation.matMul(shares, operation.value("value"))
        },
        "reduce_sum": reduction(.sum), "reduce_mean": reduction(.mean), "reduce_max": reduction(.max),
        "reduce_min": reduction(.min), "reduce_prod": reduction(.prod), "reduce_l1_norm": reduction(.l1),
        "reduce_l2_norm": reduction(.l2), "reduce_sum_square": reduction(.sumSquare),
        "reduce_log_sum": reduction(.logSum), "reduce_log_sum_exp": reduction(.logSumExp),
        "reduce_argmax": .init { operation in try operation.indexOfExtreme(.max) },
        "reduce_argmin": .init { operation in try operation.indexOfExtreme(.min) },
        "cumsum": .init { operation in
            let axis = try operation.reshape(operation.constant([operation.int("axis", 0)]), [])
            let sum = CumSum(exclusive: try operation.bool("exclusive"), reverse: try operation.bool("reverse"))
            return try operation.add(sum, [operation.value(), axis])
        },
    ]

    private static func reduction(_ kind: Reduce.Kind) -> ProgramDefinition {
        .init { operation in
            let value = try operation.value()
            return try operation.reduce(
                kind, value, axes: operation.axes("axes", of: value), keepsDimensions: operation.bool("keep_dims"))
        }
    }
}

extension ProgramLowering {
    fileprivate func indexOfExtreme(_ kind: ArgReduce.Kind) throws -> Value {
        let operation = ArgReduce(
            kind: kind, axis: try int("axis", -1), keepsDimensions: try bool("keep_dims"), indexType: .int32)
        return try add(operation, [value()])
    }
}
