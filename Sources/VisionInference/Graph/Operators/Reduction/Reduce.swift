/// Reduces some axes to one number: those of input 1, else `axes`, else all, or with `noopWithEmptyAxes` none.
package struct Reduce: ReducingOperator {
    package enum Kind: Hashable, Sendable, CaseIterable {
        case sum, mean, max, min, prod
        /// The sum of magnitudes, the root of the sum of squares, the sum of squares.
        case l1, l2, sumSquare
        /// The logarithm of the sum, and of the sum of exponentials.
        case logSum, logSumExp
        /// Of truth values: not in ONNX.
        case any, all
    }

    package var kind: Kind
    package var axes: [Int]?
    package var keepsDimensions = true
    package var noopWithEmptyAxes = false
    var order = AxisOrder()

    package var name: String {
        let text = String(describing: kind)
        return "Reduce" + text.prefix(1).uppercased() + text.dropFirst()
    }

    /// nil when they depend on data.
    func reducedAxes(_ inputs: [TensorDescription?]) throws -> Set<Int>? {
        let shape = try required(inputs, 0).shape
        var listed = axes ?? []
        switch try integers(inputs, 1) {
        case .absent: break
        case .unknown: return nil
        case .values(let values): listed = values
        }
        if listed.isEmpty { return noopWithEmptyAxes ? [] : Set(shape.indices) }
        return Set(try resolvedAxes(listed, shape).map { order($0) })
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let isTruth = kind == .any || kind == .all
        let allowsTruth = isTruth || kind == .max || kind == .min
        guard input.type != .bool || allowsTruth, !isTruth || input.type == .bool else {
            throw unsupported(input.type)
        }
        guard let axes = try reducedAxes(inputs) else { return .dependsOnData }
        let shape: Shape = input.shape.indices.compactMap { axis in
            axes.contains(axis) ? (keepsDimensions ? 1 : nil) : input.shape[axis]
        }
        return .known([TensorDescription(input.type, shape)])
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        guard let axes = try? reducedAxes(inputs) else { return nil }
        var replacement = self
        replacement.order = order.before(permutation)
        return Sinking(
            replacement: replacement, inputs: [0], outputPermutations: [reduced(permutation, over: axes)])
    }
}
