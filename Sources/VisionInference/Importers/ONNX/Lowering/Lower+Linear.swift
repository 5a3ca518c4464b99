extension ONNXDefinition {
    static let linear: [String: ONNXDefinition] = [
        "MatMul": ONNXDefinition(.numbers) { node in [try node.matMul(node.input(0), node.input(1))] },
        "Gemm": ONNXDefinition(.numbers, lower: gemm),
        "Einsum": ONNXDefinition(.numbers, since: 12) { node in
            let inputs = try (0..<node.inputCount).map { try node.input($0) }
            return [try node.sumOfProducts(node.string("equation", ""), inputs)]
        },
        "MatMulInteger": ONNXDefinition(.quantised, lower: matMulInteger),
    ]

    /// alpha A B + beta C, A and B transposed if wanted.
    @Sendable private static func gemm(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        var a = try node.input(0)
        var b = try node.input(1)
        try node.require(node.rank(a) == 2 && node.rank(b) == 2, "the factors are no matrices")
        if node.flag("transA") { a = try node.transpose(a, [1, 0]) }
        if node.flag("transB") { b = try node.transpose(b, [1, 0]) }
        let alpha = node.float("alpha", 1)
        // The second factor is the weights as a rule, so that this is folded.
        if alpha != 1 { b = try node.binary(.mul, b, node.scalar(Double(alpha), like: b)) }
        let product = try node.matMul(a, b)
        guard var c = node.optional(2) else { return [product] }
        let beta = node.float("beta", 1)
        if beta == 0 { return [product] }
        if beta != 1 { c = try node.binary(.mul, c, node.scalar(Double(beta), like: c)) }
        return [try node.binary(.add, product, c)]
    }

    /// Products of bytes, their zero points taken off, as 32-bit integers.
    @Sendable private static func matMulInteger(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let a = try node.integers(0, zeroPoint: 2, perRow: true)
        let b = try node.integers(1, zeroPoint: 3, perRow: false)
        return [try node.add(GeneralMatMul(), [a, b])]
    }
}

extension ONNXLowering {
    /// An input of bytes as 32-bit integers, less its zero point: one number, or one for each row or column of a
    /// matrix.
    func integers(_ index: Int, zeroPoint: Int, perRow: Bool) throws -> Value {
        let wide = try cast(input(index), .int32)
        guard let zero = optional(zeroPoint) else { return wide }
        var point = try cast(zero, .int32)
        if perRow, try rank(point) == 1 { point = try reshape(point, shape(point) + [1]) }
        return try binary(.sub, wide, point)
    }
}
