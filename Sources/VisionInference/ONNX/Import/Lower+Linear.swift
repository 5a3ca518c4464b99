extension ONNXDefinition {
    static let linear: [String: ONNXDefinition] = [
        "MatMul": ONNXDefinition(.numbers) { node in [try node.matMul(node.input(0), node.input(1))] },
        "Gemm": ONNXDefinition(.numbers, lower: gemm),
        "Einsum": ONNXDefinition(.numbers, lower: einsum),
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

    /// A sum of products: every factor is brought to one order of axes and multiplied with broadcasting; what the result
    /// does not have is summed. Two factors that share only what a matrix product shares are multiplied as matrices.
    @Sendable private static func einsum(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let equation = try EinsumEquation(
            node.string("equation", ""),
            ranks: (0..<node.inputCount).map {
                try node.rank(node.input($0))
            })
        var sizes: [EinsumEquation.Label: Int] = [:]
        for (index, labels) in equation.operands.enumerated() {
            for (label, size) in zip(labels, try node.shape(node.input(index))) where size != 1 || sizes[label] == nil {
                try node.require(sizes[label] ?? 1 == 1 || sizes[label] == size, "the sizes do not fit the equation")
                sizes[label] = size
            }
        }
        var product: Graph.ValueID?
        let order = equation.order
        for (index, labels) in equation.operands.enumerated() {
            let factor = try diagonal(node, node.input(index), labels)
            let known = order.filter { factor.labels.contains($0) }
            let moved = try node.transpose(factor.value, known.map { factor.labels.firstIndex(of: $0) ?? 0 })
            let shape = try node.shape(moved)
            let spread = try node.reshape(
                moved, order.map { label in known.firstIndex(of: label).map { shape[$0] } ?? 1 })
            product = try product.map { try node.binary(.mul, $0, spread) } ?? spread
        }
        guard var result = product else { throw node.invalid("no input") }
        let summed = Array(equation.output.count..<order.count)
        if !summed.isEmpty {
            result = try node.add(Reduce(kind: .sum, axes: summed, keepsDimensions: false), [result])
        }
        return [result]
    }

    /// A label that stands twice in one operand takes the diagonal.
    private static func diagonal(
        _ node: ONNXLowering, _ value: Graph.ValueID, _ labels: [EinsumEquation.Label]
    ) throws -> (value: Graph.ValueID, labels: [EinsumEquation.Label]) {
        var value = value
        var labels = labels
        while let second = labels.indices.first(where: { labels[..<$0].contains(labels[$0]) }),
            let first = labels.firstIndex(of: labels[second])
        {
            let size = try node.shape(value)[first]
            // The identity matrix over both axes leaves the diagonal; summing one axis brings it to the other.
            var shape = labels.map { _ in 1 }
            shape[first] = size
            let one = node.constant(try Tensor((0..<size).map { Int64($0) }, shape: shape))
            shape[first] = 1
            shape[second] = size
            let other = node.constant(try Tensor((0..<size).map { Int64($0) }, shape: shape))
            let isDiagonal = try node.binary(.equal, one, other)
            let chosen = try node.add(Where(), [isDiagonal, value, node.scalar(0, like: value)])
            value = try node.add(Reduce(kind: .sum, axes: [second], keepsDimensions: false), [chosen])
            labels.remove(at: second)
        }
        return (value, labels)
    }
}

/// The subscripts of an Einsum node.
struct EinsumEquation {
    /// A letter, or one of the axes that an ellipsis stands for, counted from the last.
    enum Label: Hashable { case letter(Character), ellipsis(Int) }

    var operands: [[Label]] = []
    var output: [Label] = []

    /// The output's labels, then those that are summed.
    var order: [Label] {
        var order = output
        for label in operands.joined() where !order.contains(label) { order.append(label) }
        return order
    }

    init(_ text: String, ranks: [Int]) throws {
        let sides = text.filter { !$0.isWhitespace }.components(of: "->")
        let terms = sides[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard sides.count <= 2, terms.count == ranks.count else { throw ModelError.invalid("the equation “\(text)”") }
        var ellipsis = 0
        for (term, rank) in zip(terms, ranks) {
            let letters = term.filter { $0 != "." }.count
            if term.contains("...") { ellipsis = max(ellipsis, rank - letters) }
            let labels = try Self.labels(term, ellipsis: term.contains("...") ? rank - letters : 0, text)
            guard labels.count == rank else { throw ModelError.invalid("“\(term)” for a tensor of \(rank) axes") }
            operands.append(labels)
        }
        if sides.count == 2 {
            output = try Self.labels(sides[1], ellipsis: ellipsis, text)
        } else {
            let all = Array(operands.joined())
            output = (0..<ellipsis).reversed().map { .ellipsis($0) }
            let letters = Set(terms.joined().filter { $0.isLetter }).sorted()
            output += letters.map { Label.letter($0) }.filter { label in all.count { $0 == label } == 1 }
        }
        let known = Set(operands.joined())
        guard output.allSatisfy(known.contains), Set(output).count == output.count else {
            throw ModelError.invalid("the equation “\(text)”")
        }
    }

    private static func labels(_ term: String, ellipsis: Int, _ text: String) throws -> [Label] {
        guard ellipsis >= 0 else { throw ModelError.invalid("the equation “\(text)”") }
        let parts = term.components(of: "...")
        guard parts.count <= 2, parts.joined().allSatisfy({ $0.isLetter }) else {
            throw ModelError.invalid("the equation “\(text)”")
        }
        let head = parts[0].map { Label.letter($0) }
        if parts.count == 1 { return head }
        return head + (0..<ellipsis).reversed().map { .ellipsis($0) } + parts[1].map { .letter($0) }
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] {
        var parts: [String] = [""]
        var rest = self[...]
        while let first = rest.first {
            if rest.hasPrefix(separator) {
                parts.append("")
                rest = rest.dropFirst(separator.count)
            } else {
                parts[parts.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        return parts
    }
}

extension ONNXLowering {
    /// A product of matrices; half precision is multiplied in 32 bits.
    func matMul(_ a: Value, _ b: Value, transposesRight: Bool = false) throws -> Value {
        let type = try type(a)
        switch type {
        case .float32: return try add(MatMul(transposesRight: transposesRight), [a, b])
        case .float16, .bfloat16:
            let product = try add(
                MatMul(transposesRight: transposesRight), [cast(a, .float32), cast(b, .float32)])
            return try cast(product, type)
        default:
            var right = b
            if transposesRight {
                let rank = try rank(b)
                right = try transpose(b, Array(0..<rank - 2) + [rank - 1, rank - 2])
            }
            return try add(GeneralMatMul(), [a, right])
        }
    }

    /// An input of bytes as 32-bit integers, less its zero point: one number, or one for each row or column of a matrix.
    func integers(_ index: Int, zeroPoint: Int, perRow: Bool) throws -> Value {
        let wide = try cast(input(index), .int32)
        guard let zero = optional(zeroPoint) else { return wide }
        var point = try cast(zero, .int32)
        if perRow, try rank(point) == 1 { point = try reshape(point, shape(point) + [1]) }
        return try binary(.sub, wide, point)
    }
}
