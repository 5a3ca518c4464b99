/// Adds elements before and after each axis, or takes them away where the number is negative. Input 1 lists how many
/// before, then how many after, for all axes or those of input 3; input 2 is the value of new elements, else zero.
package struct Pad: OrderedOperator {
    package enum Mode: Hashable, Sendable {
        case constant
        /// Mirrored at the outermost elements, which are not repeated.
        case reflect
        /// Mirrored, the outermost elements being repeated: not in ONNX.
        case symmetric
        /// The outermost element again and again.
        case edge
        /// From the other end.
        case wrap
    }

    package var mode: Mode = .constant
    var order = AxisOrder()

    /// Elements added before and after each axis; nil when that depends on data.
    func pads(_ inputs: [TensorDescription?]) throws -> (before: [Int], after: [Int])? {
        let shape = try required(inputs, 0).shape
        var axes = Array(shape.indices)
        switch try integers(inputs, 3) {
        case .absent: break
        case .unknown: return nil
        case .values(let values): axes = try resolvedAxes(values, shape)
        }
        switch try integers(inputs, 1) {
        case .absent: throw ModelError.invalid("Pad lacks its numbers")
        case .unknown: return nil
        case .values(let values):
            try check(values.count == 2 * axes.count, "\(values.count) numbers for \(axes.count) axes")
            var before = [Int](repeating: 0, count: shape.count)
            var after = before
            for (index, axis) in axes.enumerated() {
                before[order(axis)] = values[index]
                after[order(axis)] = values[axes.count + index]
            }
            return (before, after)
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        if isPresent(inputs, 2) {
            let value = try required(inputs, 2)
            try check(
                value.type == input.type && value.shape.allSatisfy { $0 == 1 },
                "value of type \(value.type) and shape \(value.shape)")
        }
        guard let pads = try pads(inputs) else { return .dependsOnData }
        let shape = try input.shape.indices.map { axis in
            let (before, after, size) = (pads.before[axis], pads.after[axis], input.shape[axis])
            let limit = ModelLimits.tensorBytes
            try check(before.magnitude <= limit && after.magnitude <= limit, "\(before) and \(after) more on an axis")
            let result = size + before + after
            try check(result >= 0, "\(before) and \(after) more on an axis of size \(size)")
            try check(mode == .constant || size > 0 || result == 0, "mode \(mode) on an empty axis")
            // Other modes keep a table of where each element comes from, which may be far larger than the elements.
            try check(mode == .constant || result <= 1 << 24, "\(before) and \(after) more on an axis in mode \(mode)")
            return result
        }
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int { 0 }
}

extension Pad {
    /// Numbers of zeros before each axis, then after each; nil when something else is added, or unknown.
    func zeros(_ inputs: [TensorDescription?]) -> [Int]? {
        guard mode == .constant, let numbers = try? pads(inputs) else { return nil }
        if inputs.count > 2, let value = inputs[2] {
            guard value.constant?.floats?.first == 0 else { return nil }
        }
        return numbers.before + numbers.after
    }
}
