internal import Foundation

extension Softmax: FloatOperator {
    package var inPlaceInput: Int? { 0 }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        if beta == 1, let step = SoftmaxKernelStep(inputs[0], axis: axis, isLogarithm: isLogarithm) { return step }
        return PlainStep(operation: self)
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let beta = Double(beta)
        forEachLine(try required(inputs, 0), outputs[0], axis: axis, T.self) { source, target, size, step in
            var largest = -Double.infinity
            for index in 0..<size { largest = max(largest, source[index * step].double * beta) }
            var sum = 0.0
            for index in 0..<size { sum += exp(source[index * step].double * beta - largest) }
            let shift = largest + log(sum)
            for index in 0..<size {
                let value = source[index * step].double * beta
                target[index * step] = T(double: isLogarithm ? value - shift : exp(value - largest) / sum)
            }
        }
    }
}

extension Hardmax: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        forEachLine(try required(inputs, 0), outputs[0], axis: axis, T.self) { source, target, size, step in
            var best = 0
            for index in 0..<size {
                if source[index * step].wide > source[best * step].wide { best = index }
            }
            for index in 0..<size { target[index * step] = T(wide: index == best ? 1 : 0) }
        }
    }
}

/// Calls `body` with the start of every line along an axis, in both tensors of one shape.
@inline(__always)
func forEachLine<A: TensorScalar, B: TensorScalar>(
    _ input: TensorView, _ output: TensorView, axis: Int, _ source: A.Type, _ target: B.Type,
    _ body: (_ source: UnsafeMutablePointer<A>, _ target: UnsafeMutablePointer<B>, _ size: Int, _ step: Int) -> Void
) {
    let shape = input.shape
    guard let axis = try? shape.resolvedAxis(axis), !shape.contains(0) else { return }
    let size = shape[axis]
    let outer = Shape(shape[..<axis]).elementCount
    let inner = Shape(shape[(axis + 1)...]).elementCount
    let (from, to) = (input.pointer(A.self), output.pointer(B.self))
    for row in 0..<outer {
        for column in 0..<inner {
            let start = row * size * inner + column
            body(from + start, to + start, size, inner)
        }
    }
}

@inline(__always)
func forEachLine<T: TensorScalar>(
    _ input: TensorView, _ output: TensorView, axis: Int, _ type: T.Type,
    _ body: (_ source: UnsafeMutablePointer<T>, _ target: UnsafeMutablePointer<T>, _ size: Int, _ step: Int) -> Void
) {
    forEachLine(input, output, axis: axis, T.self, T.self, body)
}
