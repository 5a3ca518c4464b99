extension GraphBuilder where Sink == ShapedGraph {
    /// A sum of products: every factor is brought to one order of axes and multiplied with broadcasting; what the
    /// result does not have is summed. Two factors that share only what a matrix product shares are multiplied as
    /// matrices.
    func sumOfProducts(_ equation: String, _ inputs: [Value]) throws -> Value {
        let equation = try EinsumEquation(equation, ranks: inputs.map { try rank($0) })
        var sizes: [EinsumEquation.Label: Int] = [:]
        for (index, labels) in equation.operands.enumerated() {
            for (label, size) in zip(labels, try shape(inputs[index])) where size != 1 || sizes[label] == nil {
                guard sizes[label] ?? 1 == 1 || sizes[label] == size else {
                    throw ModelError.invalid("the sizes do not fit the equation")
                }
                sizes[label] = size
            }
        }
        if let result = try matrixProduct(inputs, equation, sizes) { return result }
        var product: Value?
        let order = equation.order
        for (index, labels) in equation.operands.enumerated() {
            let factor = try diagonal(inputs[index], labels)
            let known = order.filter { factor.labels.contains($0) }
            let moved = try transpose(factor.value, known.map { factor.labels.firstIndex(of: $0) ?? 0 })
            let sizesOfFactor = try shape(moved)
            let spread = try reshape(
                moved, order.map { label in known.firstIndex(of: label).map { sizesOfFactor[$0] } ?? 1 })
            product = try product.map { try binary(.mul, $0, spread) } ?? spread
        }
        guard var result = product else { throw ModelError.invalid("no input") }
        let summed = Array(equation.output.count..<order.count)
        if !summed.isEmpty {
            result = try reduce(.sum, result, axes: summed, keepsDimensions: false)
        }
        return result
    }

    /// Two factors as stacks of matrices, where every label that is summed is in both and no other has to be broadcast.
    private func matrixProduct(
        _ inputs: [Value], _ equation: EinsumEquation, _ sizes: [EinsumEquation.Label: Int]
    ) throws -> Value? {
        guard equation.operands.count == 2 else { return nil }
        let (left, right) = (equation.operands[0], equation.operands[1])
        guard Set(left).count == left.count, Set(right).count == right.count else { return nil }
        for (index, labels) in equation.operands.enumerated() {
            guard try shape(inputs[index]) == labels.map({ sizes[$0] ?? 1 }) else { return nil }
        }
        let shared = left.filter { right.contains($0) }
        let stack = shared.filter { equation.output.contains($0) }
        let inner = shared.filter { !equation.output.contains($0) }
        let rows = left.filter { !shared.contains($0) }
        let columns = right.filter { !shared.contains($0) }
        guard !inner.isEmpty, Set(stack + rows + columns) == Set(equation.output) else { return nil }
        func count(_ labels: [EinsumEquation.Label]) -> Int { labels.reduce(1) { $0 * (sizes[$1] ?? 1) } }
        func matrices(
            _ index: Int, _ labels: [EinsumEquation.Label], _ order: [EinsumEquation.Label], _ shape: Shape
        ) throws -> Value {
            let moved = try transpose(inputs[index], order.map { labels.firstIndex(of: $0) ?? 0 })
            return try reshape(moved, shape)
        }
        let stackSizes = stack.map { sizes[$0] ?? 1 }
        let product = try matMul(
            matrices(0, left, stack + rows + inner, stackSizes + [count(rows), count(inner)]),
            matrices(1, right, stack + inner + columns, stackSizes + [count(inner), count(columns)]))
        let order = stack + rows + columns
        let spread = try reshape(product, order.map { sizes[$0] ?? 1 })
        return try transpose(spread, equation.output.map { order.firstIndex(of: $0) ?? 0 })
    }

    /// A label that stands twice in one operand takes the diagonal.
    private func diagonal(
        _ value: Value, _ labels: [EinsumEquation.Label]
    ) throws -> (value: Value, labels: [EinsumEquation.Label]) {
        var value = value
        var labels = labels
        while let second = labels.indices.first(where: { labels[..<$0].contains(labels[$0]) }),
            let first = labels.firstIndex(of: labels[second])
        {
            let size = try self.shape(value)[first]
            // The identity matrix over both axes leaves the diagonal; summing one axis brings it to the other.
            var shape = labels.map { _ in 1 }
            shape[first] = size
            let one = constant(try Tensor((0..<size).map { Int64($0) }, shape: shape))
            shape[first] = 1
            shape[second] = size
            let other = constant(try Tensor((0..<size).map { Int64($0) }, shape: shape))
            let isDiagonal = try binary(.equal, one, other)
            let chosen = try add(Where(), [isDiagonal, value, scalar(0, like: value)])
            value = try reduce(.sum, chosen, axes: [second], keepsDimensions: false)
            labels.remove(at: second)
        }
        return (value, labels)
    }
}

/// The subscripts of a sum of products, as NumPy's `einsum` has them.
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
