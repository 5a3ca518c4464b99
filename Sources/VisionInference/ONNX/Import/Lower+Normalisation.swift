extension ONNXDefinition {
    static let normalisation: [String: ONNXDefinition] = [
        "BatchNormalization": ONNXDefinition(.floats, lower: batchNormalisation),
        "InstanceNormalization": ONNXDefinition(.floats) { node in
            let input = try node.input(0)
            let axes = Array(2..<max(try node.rank(input), 2))
            let normal = try node.normalised(input, axes: axes, epsilon: node.float("epsilon", 1e-5)).value
            let scaled = try node.binary(.mul, normal, node.perChannel(node.input(1), of: input))
            return [try node.binary(.add, scaled, node.perChannel(node.input(2), of: input))]
        },
        "LayerNormalization": ONNXDefinition(.floats, lower: layerNormalisation),
        "RMSNormalization": ONNXDefinition(.floats, lower: rmsNormalisation),
        "GroupNormalization": ONNXDefinition(.floats, lower: groupNormalisation),
        "LRN": ONNXDefinition(.floats, lower: localResponse),
        "LpNormalization": ONNXDefinition(.floats) { node in
            let input = try node.input(0)
            let p = node.int("p", 2)
            try node.require(p == 1 || p == 2, "p = \(p)")
            let axis = try node.axis(input, node.int("axis", -1))
            let norm = try node.add(Reduce(kind: p == 1 ? .l1 : .l2, axes: [axis]), [input])
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

    /// Without training it is one factor and one summand for each channel, which are worked out here.
    @Sendable private static func batchNormalisation(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let type = try node.type(input)
        let channel = try (1...4).map { index in
            try node.cast(node.perChannel(node.input(index), of: input), type)
        }
        let isTraining = node.flag("training_mode") || (node.opset < 7 && !node.flag("is_test", true))
        var (mean, variance) = (channel[2], channel[3])
        var further: [Graph.ValueID] = []
        if isTraining {
            let axes = try (0..<node.rank(input)).filter { $0 != 1 }
            mean = try node.add(Reduce(kind: .mean, axes: axes), [input])
            variance = try node.moments(input, axes: axes).variance
            let momentum = Double(node.float("momentum", 0.9))
            for (old, new, index) in [(channel[2], mean, 3), (channel[3], variance, 4)] {
                let kept = try node.binary(.mul, old, node.scalar(momentum, like: old))
                let added = try node.binary(.mul, new, node.scalar(1 - momentum, like: new))
                let sum = try node.binary(.add, kept, added)
                further.append(try node.reshape(sum, node.shape(node.input(index))))
            }
        }
        let epsilon = try node.scalar(Double(node.float("epsilon", 1e-5)), like: variance)
        let deviation = try node.unary(.sqrt, node.binary(.add, variance, epsilon))
        let factor = try node.binary(.div, channel[0], deviation)
        let summand = try node.binary(.sub, channel[1], node.binary(.mul, mean, factor))
        let scaled = try node.binary(.mul, input, factor)
        return [try node.binary(.add, scaled, summand)] + further
    }

    @Sendable private static func layerNormalisation(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let type = try node.type(input)
        let first = try node.axis(input, node.int("axis", -1))
        let wide = type == .float64 ? input : try node.cast(input, .float32)
        let axes = Array(first..<(try node.rank(input)))
        let normal = try node.normalised(wide, axes: axes, epsilon: node.float("epsilon", 1e-5))
        var result = try node.binary(.mul, node.cast(normal.value, type), node.input(1))
        if let bias = node.optional(2) { result = try node.binary(.add, result, bias) }
        return [result, normal.mean, normal.inverseDeviation]
    }

    @Sendable private static func rmsNormalisation(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let type = try node.type(input)
        let first = try node.axis(input, node.int("axis", -1))
        let wide = type == .float64 ? input : try node.cast(input, .float32)
        let axes = Array(first..<(try node.rank(input)))
        let square = try node.add(Reduce(kind: .mean, axes: axes), [node.binary(.mul, wide, wide)])
        let epsilon = try node.scalar(Double(node.float("epsilon", 1e-5)), like: wide)
        let root = try node.unary(.sqrt, node.binary(.add, square, epsilon))
        let normal = try node.cast(node.binary(.div, wide, root), type)
        return [try node.binary(.mul, normal, node.cast(node.input(1), type))]
    }

    @Sendable private static func groupNormalisation(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let shape = try node.shape(input)
        let groups = node.int("num_groups", 1)
        try node.require(shape.count >= 2 && groups >= 1 && shape[1] % groups == 0, "\(groups) groups of \(shape)")
        let type = try node.type(input)
        let wide = type == .float64 ? input : try node.cast(input, .float32)
        let grouped = try node.reshape(wide, [shape[0], groups, shape[1] / groups] + shape[2...])
        let axes = Array(2..<shape.count + 1)
        let normal = try node.normalised(grouped, axes: axes, epsilon: node.float("epsilon", 1e-5)).value
        let flat = try node.cast(node.reshape(normal, shape), type)
        let factors = try (1...2).map { index -> Graph.ValueID in
            let given = try node.input(index)
            guard node.opset < 21 else { return try node.perChannel(given, of: input) }
            // One number a group then, which its channels share.
            let column = try node.reshape(given, [groups, 1])
            let spread = try node.add(Expand(), [column, node.constant([groups, shape[1] / groups])])
            return try node.perChannel(node.reshape(spread, [shape[1]]), of: input)
        }
        return [try node.binary(.add, node.binary(.mul, flat, factors[0]), factors[1])]
    }

    /// Each element divided by a power of the sum of squares of its neighbours in the channels before and after it.
    @Sendable private static func localResponse(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let shape = try node.shape(input)
        guard let size = node.int("size"), 1...1 << 10 ~= size, shape.count >= 2, shape[1] >= 1 else {
            throw node.invalid("size \(node.int("size", 0)) of \(shape)")
        }
        let before = (size - 1) / 2
        let square = try node.binary(.mul, input, input)
        var pads = shape.map { _ in 0 } + shape.map { _ in 0 }
        pads[1] = before
        pads[shape.count + 1] = size - 1 - before
        let padded = try node.add(Pad(), [square, node.constant(pads)])
        var sum = try node.slice(padded, axis: 1, 0..<shape[1])
        for shift in 1..<max(size, 1) {
            sum = try node.binary(.add, sum, node.slice(padded, axis: 1, shift..<shift + shape[1]))
        }
        let alpha = try node.scalar(Double(node.float("alpha", 1e-4)) / Double(size), like: input)
        let bias = try node.scalar(Double(node.float("bias", 1)), like: input)
        let base = try node.binary(.add, node.binary(.mul, sum, alpha), bias)
        let beta = try node.scalar(Double(node.float("beta", 0.75)), like: input)
        return [try node.binary(.div, input, node.binary(.pow, base, beta))]
    }
}

extension ONNXLowering {
    /// A vector with one element a channel, shaped so that it is broadcast along the channels of `value`.
    func perChannel(_ vector: Value, of value: Value) throws -> Value {
        let count = try describe(vector).shape.elementCount
        return try reshape(vector, [count] + [Int](repeating: 1, count: max(rank(value) - 2, 0)))
    }

    /// The value less its mean, and its variance.
    func moments(_ value: Value, axes: [Int]) throws -> (centred: Value, variance: Value) {
        let mean = try add(Reduce(kind: .mean, axes: axes), [value])
        let centred = try binary(.sub, value, mean)
        return (centred, try add(Reduce(kind: .mean, axes: axes), [binary(.mul, centred, centred)]))
    }

    /// (x − mean) / √(variance + epsilon)
    func normalised(
        _ value: Value, axes: [Int], epsilon: Float
    ) throws -> (value: Value, mean: Value, inverseDeviation: Value) {
        let mean = try add(Reduce(kind: .mean, axes: axes), [value])
        let centred = try binary(.sub, value, mean)
        let variance = try add(Reduce(kind: .mean, axes: axes), [binary(.mul, centred, centred)])
        let shifted = try binary(.add, variance, scalar(Double(epsilon), like: value))
        let inverse = try unary(.reciprocal, unary(.sqrt, shifted))
        return (try binary(.mul, centred, inverse), mean, inverse)
    }
}
