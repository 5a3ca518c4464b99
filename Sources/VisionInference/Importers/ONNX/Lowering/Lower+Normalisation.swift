extension ONNXDefinition {
    static let normalisation: [String: ONNXDefinition] = [
        "BatchNormalization": ONNXDefinition(.floats, lower: batchNormalisation),
        "InstanceNormalization": .direct(.floats, inputs: 3) { node in
            InstanceNormalization(epsilon: node.float("epsilon", 1e-5))
        },
        "LayerNormalization": ONNXDefinition(.floats) { node in
            let operation = LayerNormalization(axis: node.int("axis", -1), epsilon: node.float("epsilon", 1e-5))
            return try node.add(
                operation, [node.input(0), node.input(1), node.optional(2)], outputs: node.node.outputs.count)
        },
        "RMSNormalization": ONNXDefinition(.floats, lower: rmsNormalisation),
        "GroupNormalization": .direct(.floats, since: 18, inputs: 3) { node in
            GroupNormalization(
                groups: node.int("num_groups", 0), epsilon: node.float("epsilon", 1e-5))
        },
        "LRN": .direct(.floats) { node in
            LRN(
                size: node.int("size", 0), alpha: node.float("alpha", 1e-4), beta: node.float("beta", 0.75),
                bias: node.float("bias", 1))
        },
        "LpNormalization": ONNXDefinition(.floats) { node in
            let input = try node.input(0)
            let p = node.int("p", 2)
            try node.require(p == 1 || p == 2, "p = \(p)")
            let axis = try node.axis(input, node.int("axis", -1))
            let norm = try node.reduce(p == 1 ? .l1 : .l2, input, axes: [axis])
            return [try node.binary(.div, input, norm)]
        },
        "MeanVarianceNormalization": ONNXDefinition(.floats) { node in
            let input = try node.input(0)
            let axes = try (node.ints("axes") ?? [0, 2, 3]).map { try node.axis(input, $0) }
            let (centred, variance) = try node.moments(input, axes: axes)
            let deviation = try node.binary(.add, node.unary(.sqrt, variance), node.scalar(1e-9, like: input))
            return [try node.binary(.div, centred, deviation)]
        },
    ]

    /// Training normalises by the input's own mean and variance, and moves the given ones a little towards them.
    @Sendable private static func batchNormalisation(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let type = try node.type(input)
        let operation = BatchNormalization(epsilon: node.float("epsilon", 1e-5))
        var parameters = try (1...4).map { try node.cast(node.input($0), type) }
        guard node.flag("training_mode") || (node.opset < 7 && !node.flag("is_test", true)) else {
            return [try node.add(operation, [input] + parameters)]
        }
        let axes = try (0..<node.rank(input)).filter { $0 != 1 }
        let momentum = try node.scalar(Double(node.float("momentum", 0.9)), like: input)
        let rest = try node.scalar(1 - Double(node.float("momentum", 0.9)), like: input)
        let current = [
            try node.reduce(.mean, input, axes: axes), try node.moments(input, axes: axes).variance,
        ]
        var further: [Graph.ValueID] = []
        for (index, value) in current.enumerated() {
            let flat = try node.reshape(value, node.shape(parameters[2 + index]))
            let kept = try node.binary(.mul, parameters[2 + index], momentum)
            let moved = try node.binary(.add, kept, node.binary(.mul, flat, rest))
            further.append(try node.cast(moved, node.type(node.input(3 + index))))
            parameters[2 + index] = flat
        }
        return [try node.add(operation, [input] + parameters)] + further
    }

    @Sendable private static func rmsNormalisation(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let type = try node.type(input)
        let first = try node.axis(input, node.int("axis", -1))
        let wide = type == .float64 ? input : try node.cast(input, .float32)
        let axes = Array(first..<(try node.rank(input)))
        let square = try node.reduce(.mean, node.binary(.mul, wide, wide), axes: axes)
        let epsilon = try node.scalar(Double(node.float("epsilon", 1e-5)), like: wide)
        let root = try node.unary(.sqrt, node.binary(.add, square, epsilon))
        let normal = try node.cast(node.binary(.div, wide, root), type)
        return [try node.binary(.mul, normal, node.cast(node.input(1), type))]
    }
}
