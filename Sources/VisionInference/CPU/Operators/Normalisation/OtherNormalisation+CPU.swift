internal import Foundation

extension LRN: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (alpha, beta, bias) = (Double(alpha), Double(beta), Double(bias))
        forEachLine(try required(inputs, 0), outputs[0], axis: axis, T.self) { source, target, channels, step in
            for channel in 0..<channels {
                let first = max(channel - (size - 1) / 2, 0)
                let last = min(channel + size / 2, channels - 1)
                var squares = 0.0
                for other in first...max(first, last) {
                    squares += source[other * step].double * source[other * step].double
                }
                let divisor = pow(bias + alpha / Double(size) * squares, beta)
                target[channel * step] = T(double: source[channel * step].double / divisor)
            }
        }
    }
}
