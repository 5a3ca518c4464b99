/// The discrete Fourier transform along an axis: of the second to last by default. The last axis has 1 element (real)
/// or 2 (complex); the result is complex. Inputs: the signal, and optionally its length (cut or filled up with zeros)
/// and the axis.
package struct DFT: Operator {
    /// Where input 2 is left out.
    package var axis = -2
    package var isInverse = false
    /// Only the first half and one more, which tell all of a real signal.
    package var isOneSided = false

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        try check(input.shape.count >= 2 && (1...2).contains(input.shape.last ?? 0), "shape \(input.shape)")
        var axis = axis
        switch try integer(inputs, 2) {
        case .absent: break
        case .unknown: return .dependsOnData
        case .values(let values): axis = values[0]
        }
        axis = try input.shape.resolvedAxis(axis)
        try check(axis < input.shape.count - 1, "axis \(axis) of shape \(input.shape)")
        var length = input.shape[axis]
        switch try integer(inputs, 1) {
        case .absent: break
        case .unknown: return .dependsOnData
        case .values(let values): length = values[0]
        }
        try check((1...1 << 24).contains(length), "length \(length)")
        try checkTransform(length: length)
        var shape = input.shape
        shape[axis] = isOneSided ? length / 2 + 1 : length
        shape[shape.count - 1] = 2
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }
}

/// Fourier transforms of windows of a signal (batch, length, 1 or 2). Inputs: the signal, the step from a window to the
/// next, and optionally the window's weights and length.
package struct STFT: Operator {
    package var isOneSided = true

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        try check(input.shape.count == 3 && (1...2).contains(input.shape[2]), "shape \(input.shape)")
        guard case .values(let steps) = try integer(inputs, 1) else {
            try check(isPresent(inputs, 1), "the step is missing")
            return .dependsOnData
        }
        var length = input.shape[1]
        if isPresent(inputs, 2) {
            let window = try required(inputs, 2)
            try check(window.type == input.type && window.shape.count == 1, "a window of shape \(window.shape)")
            length = window.shape[0]
        }
        switch try integer(inputs, 3) {
        case .absent: break
        case .unknown: return .dependsOnData
        case .values(let values):
            try check(!isPresent(inputs, 2) || values[0] == length, "a window of \(length), not \(values[0])")
            length = values[0]
        }
        try check(
            length >= 1 && length <= input.shape[1] && steps[0] >= 1, "windows of \(length) in steps of \(steps[0])")
        try checkTransform(length: length)
        let frames = (input.shape[1] - length) / steps[0] + 1
        let shape = [input.shape[0], frames, isOneSided ? length / 2 + 1 : length, 2]
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }
}

/// Refuses lengths with so large a prime factor that the transform would not end.
private func checkTransform(length: Int) throws {
    var (rest, sum, prime) = (length, 0, 2)
    while prime * prime <= rest {
        while rest % prime == 0 { (rest, sum) = (rest / prime, sum + prime) }
        prime += 1
    }
    guard length * (sum + rest) <= 1 << 34 else {
        throw ModelError.tooLarge("a Fourier transform of length \(length), which has a prime factor of \(rest)")
    }
}
