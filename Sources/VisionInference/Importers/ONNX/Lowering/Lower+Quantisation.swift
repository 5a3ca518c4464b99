extension ONNXDefinition {
    static let quantisation: [String: ONNXDefinition] = [
        "QuantizeLinear": ONNXDefinition(
            .numbers, since: 10, notes: "blocks; output types of other widths than 8, 16 and 32 bits"
        ) { node in
            if node.int("block_size", 0) != 0 { throw node.unsupported("blocks") }
            let type = try node.int("output_dtype", 0) == 0 ? nil : node.elementType("output_dtype")
            let input = try node.input(0)
            // A scalar has no axis, and needs none.
            let axis = try node.rank(input) == 0 ? 0 : node.int("axis", 1)
            return [
                try node.add(QuantizeLinear(axis: axis, type: type), [input, node.input(1), node.optional(2)])
            ]
        },
        "DequantizeLinear": ONNXDefinition(.numbers, since: 10, notes: "blocks") { node in
            if node.int("block_size", 0) != 0 { throw node.unsupported("blocks") }
            let operation = DequantizeLinear(axis: node.int("axis", 1), foldsConstants: false)
            return [try node.add(operation, [node.input(0), node.input(1), node.optional(2)])]
        },
        "DynamicQuantizeLinear": ONNXDefinition(.float32) { node in
            try node.add(DynamicQuantizeLinear(), [node.input(0)], outputs: 3)
        },
        "QLinearMatMul": ONNXDefinition(.quantised) { node in
            let a = try node.dequantised(0, scale: 1, zeroPoint: 2, perRow: true)
            let b = try node.dequantised(3, scale: 4, zeroPoint: 5, perRow: false)
            let product = try node.matMul(a, b)
            return [
                try node.quantised(product, scales: node.cast(node.input(6), .float32), zeroPoints: node.input(7))
            ]
        },
        "QLinearConv": ONNXDefinition(.quantised, lower: convolution),
        "ConvInteger": ONNXDefinition(.quantised, lower: integerConvolution),
    ]

    /// As a convolution of floats between the conversions, which a pass makes one of bytes.
    @Sendable private static func convolution(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.dequantised(node.input(0), scales: node.input(1), zeroPoints: node.input(2))
        let weights = try node.dequantised(
            node.input(3), scales: node.input(4), zeroPoints: node.input(5), axis: 0)
        var bias: Graph.ValueID?
        if let given = node.optional(8) {
            let scale = try node.binary(.mul, node.input(1), node.input(4))
            let flat = try node.reshape(scale, [node.describe(scale).shape.elementCount])
            bias = try node.binary(.mul, node.cast(given, .float32), flat)
        }
        let result = try node.convolved(input, weights, bias)
        return [try node.quantised(result, scales: node.input(6), zeroPoints: node.input(7))]
    }

    /// Bytes less their zero points, convolved exactly, as 32-bit integers.
    @Sendable private static func integerConvolution(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        // Sums of products of bytes are exact in 64-bit floats, and so is the way back.
        let input = try node.cast(node.integers(0, zeroPoint: 2, perRow: false), .float64)
        var weights = try node.cast(node.input(1), .int32)
        if let zero = node.optional(3) {
            let point = try node.cast(zero, .int32)
            let count = try node.describe(point).shape.elementCount
            let shape = count == 1 ? [] : [count] + [Int](repeating: 1, count: try node.rank(weights) - 1)
            weights = try node.binary(.sub, weights, node.reshape(point, shape))
        }
        let result = try node.convolved(input, node.cast(weights, .float64), nil)
        return [try node.cast(result, .int32)]
    }
}

extension ONNXLowering {
    /// Bytes as floats. Scales and zero points may be given for each row or column of a matrix.
    fileprivate func dequantised(_ index: Int, scale: Int, zeroPoint: Int, perRow: Bool) throws -> Value {
        let wide = try cast(integers(index, zeroPoint: zeroPoint, perRow: perRow), .float32)
        var factor = try cast(input(scale), .float32)
        if perRow, try rank(factor) == 1 { factor = try reshape(factor, shape(factor) + [1]) }
        return try binary(.mul, wide, factor)
    }
}
