internal import Foundation

/// The discrete Fourier transform along an axis: of the second to last by default. The last axis has 1 element (real) or 2
/// (complex); the result is complex. Inputs: the signal, and optionally its length (cut or filled up with zeros) and the
/// axis.
package struct DFT: FloatOperator {
    /// Where input 2 is left out.
    package var axis: Int
    package var isInverse: Bool
    /// Only the first half and one more, which tell all of a real signal.
    package var isOneSided: Bool

    package init(axis: Int = -2, isInverse: Bool = false, isOneSided: Bool = false) {
        self.axis = axis
        self.isInverse = isInverse
        self.isOneSided = isOneSided
    }

    package var name: String { "DFT" }

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
        try FourierTransform.check(length)
        var shape = input.shape
        shape[axis] = isOneSided ? length / 2 + 1 : length
        shape[shape.count - 1] = 2
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(integers(inputs, 2)?.first ?? axis)
        let size = input.shape[axis]
        let length = integers(inputs, 1)?.first ?? size
        let parts = input.shape[input.shape.count - 1]
        let outer = Shape(input.shape[..<axis]).elementCount
        let inner = Shape(input.shape[(axis + 1)..<(input.shape.count - 1)]).elementCount
        let kept = outputs[0].shape[axis]
        let (source, target) = (input.pointer(T.self), outputs[0].pointer(T.self))
        let transform = FourierTransform(length: length, isInverse: isInverse)
        var line = [ComplexNumber](repeating: ComplexNumber(), count: length)
        for row in 0..<outer {
            for column in 0..<inner {
                for index in 0..<length {
                    let place = ((row * size + index) * inner + column) * parts
                    line[index] =
                        index < size
                        ? ComplexNumber(source[place].double, parts == 2 ? source[place + 1].double : 0)
                        : ComplexNumber()
                }
                let result = transform(line)
                let scale = isInverse ? 1 / Double(length) : 1
                for index in 0..<kept {
                    let place = ((row * kept + index) * inner + column) * 2
                    target[place] = T(double: result[index].real * scale)
                    target[place + 1] = T(double: result[index].imaginary * scale)
                }
            }
        }
    }
}

struct ComplexNumber {
    var real = 0.0
    var imaginary = 0.0

    init(_ real: Double = 0, _ imaginary: Double = 0) {
        self.real = real
        self.imaginary = imaginary
    }

    static func + (a: Self, b: Self) -> Self { Self(a.real + b.real, a.imaginary + b.imaginary) }

    static func * (a: Self, b: Self) -> Self {
        Self(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
}

/// A transform of any length, by its prime factors (Cooley and Tukey), without the division of the inverse.
struct FourierTransform {
    private let factors: [ComplexNumber]
    let length: Int

    init(length: Int, isInverse: Bool) {
        self.length = length
        let turn = (isInverse ? 2 : -2) * Double.pi / Double(length)
        factors = (0..<length).map { ComplexNumber(cos(turn * Double($0)), sin(turn * Double($0))) }
    }

    /// Refuses lengths with so large a prime factor that the transform would not end.
    static func check(_ length: Int) throws {
        var (rest, sum, prime) = (length, 0, 2)
        while prime * prime <= rest {
            while rest % prime == 0 { (rest, sum) = (rest / prime, sum + prime) }
            prime += 1
        }
        guard length * (sum + rest) <= 1 << 34 else {
            throw ModelError.tooLarge("a Fourier transform of length \(length), which has a prime factor of \(rest)")
        }
    }

    func callAsFunction(_ signal: [ComplexNumber]) -> [ComplexNumber] { transformed(signal, 0, 1, length) }

    /// The transform of every `step`-th element from `start` on.
    private func transformed(_ signal: [ComplexNumber], _ start: Int, _ step: Int, _ count: Int) -> [ComplexNumber] {
        if count == 1 { return [signal[start]] }
        var prime = 2
        while prime * prime <= count, count % prime != 0 { prime += 1 }
        if count % prime != 0 { prime = count }
        let parts = (0..<prime).map { transformed(signal, start + $0 * step, step * prime, count / prime) }
        let size = count / prime
        return (0..<count).map { index in
            var sum = ComplexNumber()
            for part in 0..<prime {
                sum = sum + parts[part][index % size] * factors[index * part % count * (length / count)]
            }
            return sum
        }
    }
}

/// Fourier transforms of windows of a signal (batch, length, 1 or 2). Inputs: the signal, the step from a window to the
/// next, and optionally the window's weights and length.
package struct STFT: FloatOperator {
    package var isOneSided: Bool

    package init(isOneSided: Bool = true) { self.isOneSided = isOneSided }

    package var name: String { "STFT" }

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
        try FourierTransform.check(length)
        let frames = (input.shape[1] - length) / steps[0] + 1
        let shape = [input.shape[0], frames, isOneSided ? length / 2 + 1 : length, 2]
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let step = integers(inputs, 1)?.first ?? 1
        let window = optional(inputs, 2)
        let length = window?.shape[0] ?? integers(inputs, 3)?.first ?? input.shape[1]
        let (frames, kept) = (outputs[0].shape[1], outputs[0].shape[2])
        let parts = input.shape[2]
        let target = outputs[0].pointer(T.self)
        let transform = FourierTransform(length: length, isInverse: false)
        for frame in 0..<input.shape[0] * frames {
            let start = frame / frames * input.shape[1] + frame % frames * step
            let source = input.pointer(T.self) + start * parts
            let line = (0..<length).map { index in
                let weight = window?.pointer(T.self)[index].double ?? 1
                return ComplexNumber(
                    source[index * parts].double * weight, parts == 2 ? source[index * 2 + 1].double * weight : 0)
            }
            for (index, value) in transform(line).prefix(kept).enumerated() {
                target[(frame * kept + index) * 2] = T(double: value.real)
                target[(frame * kept + index) * 2 + 1] = T(double: value.imaginary)
            }
        }
    }
}
