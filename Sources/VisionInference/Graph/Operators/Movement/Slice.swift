/// Part of a tensor: from `starts` (input 1) to before `ends` (input 2) along `axes` (input 3, else the first ones),
/// every `steps`-th (input 4, else all; negative ones go backwards). Indices below zero count from the end; those out
/// of range are cut.
package struct Slice: OrderedOperator {
    var order = AxisOrder()

    struct Part {
        var starts: [Int]
        var steps: [Int]
        var shape: Shape
    }

    /// nil when it depends on data.
    func part(_ inputs: [TensorDescription?]) throws -> Part? {
        let shape = try required(inputs, 0).shape
        guard case .values(let starts) = try integers(inputs, 1), case .values(let ends) = try integers(inputs, 2)
        else {
            try check(isPresent(inputs, 1) && isPresent(inputs, 2), "starts or ends are missing")
            return nil
        }
        var axes = Array(starts.indices)
        switch try integers(inputs, 3) {
        case .absent: break
        case .unknown: return nil
        case .values(let values): axes = values
        }
        var steps = [Int](repeating: 1, count: starts.count)
        switch try integers(inputs, 4) {
        case .absent: break
        case .unknown: return nil
        case .values(let values): steps = values
        }
        try check(
            ends.count == starts.count && axes.count == starts.count && steps.count == starts.count,
            "\(starts.count) starts, \(ends.count) ends, \(axes.count) axes, \(steps.count) steps")
        axes = try resolvedAxes(axes, shape)
        var part = Part(
            starts: [Int](repeating: 0, count: shape.count), steps: [Int](repeating: 1, count: shape.count),
            shape: shape)
        for index in axes.indices {
            let axis = order(axes[index])
            let size = shape[axis]
            // Nothing is further than the whole size, which also keeps the arithmetic in range.
            let step = max(min(steps[index], max(size, 1)), -max(size, 1))
            try check(step != 0, "a step of 0")
            func clamped(_ value: Int, _ range: ClosedRange<Int>) -> Int {
                let counted = value < 0 ? value.addingReportingOverflow(size).partialValue : value
                return min(max(counted, range.lowerBound), range.upperBound)
            }
            guard size > 0 else { continue }
            let start = clamped(starts[index], 0...(step > 0 ? size : size - 1))
            let end = clamped(ends[index], step > 0 ? 0...size : -1...size - 1)
            let distance = step > 0 ? end - start : start - end
            part.starts[axis] = start
            part.steps[axis] = step
            part.shape[axis] = max((distance + step.magnitude.asInt - 1) / step.magnitude.asInt, 0)
        }
        return part
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        guard let part = try part(inputs) else { return .dependsOnData }
        return .known([TensorDescription(try required(inputs, 0).type, part.shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int { 0 }
}

extension UInt {
    /// For magnitudes of numbers that are known to be small.
    var asInt: Int { Int(truncatingIfNeeded: self) }
}
