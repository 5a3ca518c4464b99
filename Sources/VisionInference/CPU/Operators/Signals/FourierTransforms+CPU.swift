internal import Foundation

extension DFT: FloatOperator {
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
                    let position = ((row * size + index) * inner + column) * parts
                    line[index] =
                        index < size
                        ? ComplexNumber(source[position].double, parts == 2 ? source[position + 1].double : 0)
                        : ComplexNumber()
                }
                let result = transform(line)
                let scale = isInverse ? 1 / Double(length) : 1
                for index in 0..<kept {
                    let position = ((row * kept + index) * inner + column) * 2
                    target[position] = T(double: result[index].real * scale)
                    target[position + 1] = T(double: result[index].imaginary * scale)
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

extension STFT: FloatOperator {
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
