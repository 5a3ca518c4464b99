extension MatMul: MILOperator {
    func write(_ node: MILNode) throws {
        node.finish(
            try node.product(transposesLeft: transposesLeft, transposesRight: transposesRight, scale: scale))
    }
}

extension GeneralMatMul: MILOperator {
    func write(_ node: MILNode) throws {
        node.finish(try node.product(transposesLeft: false, transposesRight: false, scale: 1))
    }
}

extension MILNode {
    fileprivate func product(transposesLeft: Bool, transposesRight: Bool, scale: Float) throws -> MILReference {
        var left = try input(0)
        if scale != 1 { left = try binary("mul", left, scalar(Double(scale), like: left, "scale")) }
        // A constant matrix on the right makes a linear layer, which takes three axes at most.
        if let matrix = inputs[1]?.constant, matrix.shape.count == 2, left.element != .int32, !transposesLeft,
            (1...3).contains(left.shape.count)
        {
            let weights = try constant(transposesRight ? matrix : permuted(matrix, [1, 0]), "weight")
            return try add("linear", ["x": .value(left), "weight": .value(weights)], outputShape)
        }
        let right = try input(1)
        // A vector is a row on the left and a column on the right.
        let a = left.shape.count == 1 ? try reshape(left, [1] + left.shape) : left
        let b = right.shape.count == 1 ? try reshape(right, right.shape + [1]) : right
        let sizes = try MatMul(
            transposesLeft: transposesLeft && left.shape.count > 1,
            transposesRight: transposesRight && right.shape.count > 1
        ).sizes(a.shape, b.shape)
        let result = try add(
            "matmul",
            [
                "x": .value(a), "y": .value(b), "transpose_x": .bool(transposesLeft && left.shape.count > 1),
                "transpose_y": .bool(transposesRight && right.shape.count > 1),
            ], sizes.output)
        return try reshape(result, outputShape)
    }
}

extension Reduce: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        guard let axes = try reducedAxes(node.inputs)?.sorted() else {
            throw ModelError.unsupported("its axes are computed")
        }
        guard !axes.isEmpty else {
            // A function of single elements.
            guard [.sum, .mean, .max, .min, .prod, .any, .all].contains(kind) else {
                throw ModelError.unsupported("it reduces no axes")
            }
            return node.finish(x)
        }
        // Of truth values the largest or the smallest number.
        let isTruth = x.element == .bool
        let value = isTruth ? try node.cast(x, .int32) : x
        let reduced = try node.add(
            type, ["x": .value(value), "axes": .ints(axes), "keep_dims": .bool(keepsDimensions)], node.outputShape)
        node.finish(isTruth ? try node.cast(reduced, .bool) : reduced)
    }

    private var type: String {
        switch kind {
        case .sum: "reduce_sum"
        case .mean: "reduce_mean"
        case .max, .any: "reduce_max"
        case .min, .all: "reduce_min"
        case .prod: "reduce_prod"
        case .l1: "reduce_l1_norm"
        case .l2: "reduce_l2_norm"
        case .sumSquare: "reduce_sum_square"
        case .logSum: "reduce_log_sum"
        case .logSumExp: "reduce_log_sum_exp"
        }
    }
}

extension ArgReduce: MILOperator {
    func write(_ node: MILNode) throws {
        guard !selectsLast else { throw ModelError.unsupported("it selects the last of equal elements") }
        let x = try node.input(0)
        node.finish(
            try node.add(
                kind == .max ? "reduce_argmax" : "reduce_argmin",
                ["x": .value(x), "axis": .int(x.shape.resolvedAxis(axis)), "keep_dims": .bool(keepsDimensions)],
                node.outputShape, .int32))
    }
}

extension CumSum: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        guard let axis = try node.tensor(1, "axes").integers?.first else { throw ModelError.invalid("no axis") }
        node.finish(
            try node.add(
                "cumsum",
                [
                    "x": .value(x), "axis": .int(x.shape.resolvedAxis(axis)), "exclusive": .bool(exclusive),
                    "reverse": .bool(reverse),
                ], x.shape))
    }
}

extension TopK: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        guard let count = try node.tensor(1, "numbers of elements").integers?.first else {
            throw ModelError.invalid("no number of elements")
        }
        let results = try node.add(
            "topk",
            [
                ("x", .value(x)), ("k", .int(count)), ("axis", .int(try x.shape.resolvedAxis(axis))),
                ("ascending", .bool(!largest)),
            ], [MILType(x.element, node.outputShape), MILType(.int32, node.outputShape)])
        node.finish(results[0])
        node.finish(results[1], output: 1)
    }
}
