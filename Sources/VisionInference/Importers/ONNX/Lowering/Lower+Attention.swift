extension ONNXDefinition {
    static let attention: [String: ONNXDefinition] = [
        "Attention": ONNXDefinition(.floats, since: 23, lower: attend),
        "RotaryEmbedding": ONNXDefinition(.floats, since: 23, lower: rotate),
    ]

    /// softmax(Q Kᵀ scale + mask) V, in heads, which are an axis of their own or part of the last one.
    @Sendable private static func attend(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let isFlat = try node.rank(node.input(0)) == 3
        let type = try node.type(node.input(0))
        let query = try heads(node, node.input(0), node.int("q_num_heads"))
        var key = try heads(node, node.input(1), node.int("kv_num_heads"))
        var value = try heads(node, node.input(2), node.int("kv_num_heads"))
        var past = 0
        if let pastKey = node.optional(4), let pastValue = node.optional(5) {
            past = try node.shape(pastKey)[2]
            key = try node.concat([pastKey, key], axis: 2)
            value = try node.concat([pastValue, value], axis: 2)
        }
        let present = [key, value]
        let queryShape = try node.shape(query)
        let keyShape = try node.shape(key)
        try node.require(
            queryShape.count == 4 && keyShape.count == 4 && keyShape[1] >= 1 && queryShape[1] % keyShape[1] == 0,
            "a query of \(queryShape) for keys of \(keyShape)")
        let repeats = queryShape[1] / keyShape[1]
        key = try repeated(node, key, repeats)
        value = try repeated(node, value, repeats)

        // The root of the scale on both sides keeps half precision within its range.
        let scale = Double(node.float("scale") ?? 1 / Float(queryShape[3]).squareRoot()).squareRoot()
        let scaledQuery = try node.binary(.mul, query, node.scalar(scale, like: query))
        let scaledKey = try node.binary(.mul, key, node.scalar(scale, like: key))
        var stages = [try node.matMul(scaledQuery, node.transpose(scaledKey, [0, 1, 3, 2]))]
        stages.append(try masked(node, stages[0], queries: queryShape[2], keys: keyShape[2], past: past))
        let cap = node.float("softcap", 0)
        if cap > 0 {
            let limit = try node.scalar(Double(cap), like: stages[1])
            let bent = try node.activation(.tanh, node.binary(.div, stages[1], limit))
            stages.append(try node.binary(.mul, bent, limit))
        } else {
            stages.append(stages[1])
        }
        let precision = try node.elementType("softmax_precision") ?? type
        stages.append(try node.cast(node.add(Softmax(axis: -1), [node.cast(stages[2], precision)]), type))
        var result = try node.matMul(stages[3], value)
        if isFlat {
            let shape = try node.shape(result)
            result = try node.reshape(
                node.transpose(result, [0, 2, 1, 3]), [shape[0], shape[2], shape[1] * shape[3]])
        }
        let shown = node.int("qk_matmul_output_mode", 0)
        try node.require(stages.indices.contains(shown), "qk_matmul_output_mode \(shown)")
        return [result] + present + [stages[shown]]
    }

    /// (batch, sequence, heads · size) as (batch, heads, sequence, size).
    private static func heads(
        _ node: ONNXLowering, _ value: Graph.ValueID, _ count: Int?
    ) throws -> Graph.ValueID {
        let shape = try node.shape(value)
        guard shape.count == 3 else { return value }
        guard let count, count >= 1, shape[2] % count == 0 else {
            throw node.invalid("\(count ?? 0) heads in \(shape)")
        }
        let split = try node.reshape(value, [shape[0], shape[1], count, shape[2] / count])
        return try node.transpose(split, [0, 2, 1, 3])
    }

    /// Every head `count` times, one after the other.
    private static func repeated(
        _ node: ONNXLowering, _ value: Graph.ValueID, _ count: Int
    ) throws -> Graph.ValueID {
        if count == 1 { return value }
        let shape = try node.shape(value)
        let column = try node.reshape(value, [shape[0], shape[1], 1, shape[2], shape[3]])
        let spread = try node.expand(column, to: [shape[0], shape[1], count, shape[2], shape[3]])
        return try node.reshape(spread, [shape[0], shape[1] * count, shape[2], shape[3]])
    }

    private static func masked(
        _ node: ONNXLowering, _ scores: Graph.ValueID, queries: Int, keys: Int, past: Int
    ) throws -> Graph.ValueID {
        var result = scores
        let never = try node.scalar(-.infinity, like: scores)
        let zero = try node.scalar(0, like: scores)
        if var mask = node.optional(3) {
            let isTruth = try node.type(mask) == .bool
            let missing = try keys - (node.shape(mask).last ?? keys)
            if missing > 0 {
                let rank = try node.rank(mask)
                let pads = [Int](repeating: 0, count: 2 * rank - 1) + [missing]
                let value = isTruth ? try node.scalar(0, .bool) : try node.cast(never, node.type(mask))
                mask = try node.add(Pad(), [mask, node.constant(pads), value])
            }
            let bias = isTruth ? try node.add(Where(), [mask, zero, never]) : mask
            result = try node.binary(.add, result, node.cast(bias, node.type(scores)))
        }
        if node.flag("is_causal") {
            // Queries see what came before the sequence, and of the sequence what is not after them.
            let flags = (0..<queries).flatMap { query in (0..<keys).map { UInt8($0 <= query + past ? 1 : 0) } }
            let truth = try Tensor(flags, shape: [queries, keys])
            let seen = node.constant(try Tensor(.bool, shape: [queries, keys], storage: truth.storage))
            result = try node.add(Where(), [seen, result, never])
        }
        if let lengths = node.optional(6) {
            let batch = try node.shape(lengths)
            try node.require(batch.count == 1, "lengths of shape \(batch)")
            let slots = node.constant(try Tensor((0..<keys).map { Int64($0) }, shape: [1, 1, 1, keys]))
            let column = try node.reshape(node.cast(lengths, .int64), [batch[0], 1, 1, 1])
            result = try node.add(Where(), [node.binary(.less, slots, column), result, never])
        }
        return result
    }

    /// Turns pairs of elements of each head by angles whose cosines and sines are given by position.
    @Sendable private static func rotate(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let shape = try node.shape(input)
        var heads = input
        if shape.count == 4 {
            heads = try node.transpose(input, [0, 2, 1, 3])
        } else {
            let count = node.int("num_heads", 0)
            try node.require(shape.count == 3 && count >= 1 && shape[2] % count == 0, "\(count) heads in \(shape)")
            heads = try node.reshape(input, [shape[0], shape[1], count, shape[2] / count])
        }
        let size = try node.shape(heads)
        let rotaryCount = node.int("rotary_embedding_dim", 0) == 0 ? size[3] : node.int("rotary_embedding_dim", 0)
        try node.require(
            rotaryCount > 0 && rotaryCount <= size[3] && rotaryCount % 2 == 0, "\(rotaryCount) elements of \(size[3])")
        let (cosine, sine) = (try angles(node, 1), try angles(node, 2))
        let part = try node.slice(heads, axis: 3, 0..<rotaryCount)
        let isInterleaved = node.flag("interleaved")
        let half = rotaryCount / 2
        // Pairs as the rows or the columns of a matrix.
        let matrix = isInterleaved ? [half, 2] : [2, half]
        let pairs = try node.reshape(part, Array(size[..<3]) + matrix)
        let axis = isInterleaved ? 4 : 3
        let members = try (0..<2).map { index in
            try node.reshape(node.slice(pairs, axis: axis, index..<index + 1), Array(size[..<3]) + [half])
        }
        let real = try node.binary(
            .sub, node.binary(.mul, cosine, members[0]), node.binary(.mul, sine, members[1]))
        let imaginary = try node.binary(
            .add, node.binary(.mul, sine, members[0]), node.binary(.mul, cosine, members[1]))
        let joined = try node.stack([real, imaginary], axis: axis)
        var result = try node.reshape(joined, Array(size[..<3]) + [rotaryCount])
        if rotaryCount < size[3] {
            result = try node.concat([result, node.slice(heads, axis: 3, rotaryCount..<size[3])], axis: 3)
        }
        return [try shape.count == 4 ? node.transpose(result, [0, 2, 1, 3]) : node.reshape(result, shape)]
    }

    /// (batch, sequence, 1, half) of cosines or sines.
    private static func angles(_ node: ONNXLowering, _ index: Int) throws -> Graph.ValueID {
        var table = try node.input(index)
        if let positions = node.optional(3) { table = try node.add(Gather(axis: 0), [table, positions]) }
        return try node.unsqueeze(table, axes: [2])
    }
}
