/// The index of the largest or smallest element along an axis. Of equal ones the first counts, or with `selectsLast` the
/// last.
package struct ArgReduce: NumericOperator, AxisOperator {
    package enum Kind: Hashable, Sendable { case max, min }

    package var kind: Kind
    package var axis: Int
    package var keepsDimensions: Bool
    package var selectsLast: Bool
    /// What indices are: `int64` as in ONNX, or `int32`.
    package var indexType: ElementType

    package init(
        kind: Kind, axis: Int = 0, keepsDimensions: Bool = true, selectsLast: Bool = false,
        indexType: ElementType = .int64
    ) {
        self.kind = kind
        self.axis = axis
        self.keepsDimensions = keepsDimensions
        self.selectsLast = selectsLast
        self.indexType = indexType
    }

    package var name: String { kind == .max ? "ArgMax" : "ArgMin" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        try check(input.shape[axis] > 0, "axis \(axis) of shape \(input.shape) is empty")
        try check(indexType == .int64 || indexType == .int32, "indices of type \(indexType)")
        var shape = input.shape
        if keepsDimensions { shape[axis] = 1 } else { shape.remove(at: axis) }
        return .known([TensorDescription(indexType, shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        (inputs.first ?? nil)?.shape.elementCount ?? 0
    }

    package func sinking(
        _ permutation: [Int], _ inputs: [TensorDescription?], _ outputs: [TensorDescription]
    ) -> Sinking? {
        guard let axis = try? permutation.resolvedAxis(axis), let replacement = before(permutation) else { return nil }
        let remaining = permutation.indices.filter { $0 != axis }
        return Sinking(
            replacement: replacement, inputs: [0],
            outputPermutations: [
                keepsDimensions ? permutation : remainingPermutation(permutation, remaining: remaining)
            ])
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        let size = input.shape[axis]
        let outer = Shape(input.shape[..<axis]).elementCount
        let inner = Shape(input.shape[(axis + 1)...]).elementCount
        let source = input.pointer(T.self)
        for row in 0..<outer {
            for column in 0..<inner {
                let elements = source + (row * size * inner + column)
                var best = 0
                var value = elements[0].wide
                for index in 1..<max(size, 1) {
                    let other = elements[index * inner].wide
                    let isBetter =
                        kind == .max
                        ? (selectsLast ? other >= value : other > value)
                        : (selectsLast ? other <= value : other < value)
                    // The first NaN is the extreme, as in NumPy.
                    if isBetter || (T.isNaN(other) && !T.isNaN(value)) {
                        best = index
                        value = other
                        if T.isNaN(other) { break }
                    }
                }
                let place = row * inner + column
                if indexType == .int64 {
                    outputs[0].pointer(Int64.self)[place] = Int64(best)
                } else {
                    outputs[0].pointer(Int32.self)[place] = Int32(best)
                }
            }
        }
    }
}
