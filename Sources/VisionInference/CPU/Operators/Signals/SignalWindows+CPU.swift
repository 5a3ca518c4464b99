internal import Foundation

extension SignalWindow: FloatOperator {
    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let count = outputs[0].elementCount
        let period = Double(max(isPeriodic ? count : count - 1, 1))
        let target = outputs[0].pointer(T.self)
        for index in 0..<count {
            let angle = 2 * Double.pi * Double(index) / period
            let value =
                switch kind {
                case .hann: 0.5 - 0.5 * cos(angle)
                // 25/46, as ONNX has it, instead of the rounded 0.54.
                case .hamming: 25.0 / 46 - 21.0 / 46 * cos(angle)
                case .blackman: 0.42 - 0.5 * cos(angle) + 0.08 * cos(2 * angle)
                }
            target[index] = T(double: value)
        }
    }
}

extension MelWeightMatrix: FloatOperator {
    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        guard let (_, edges) = try edges(inputs.map { $0?.doubles.first }) else { return }
        let bands = edges.count - 2
        let target = outputs[0].pointer(T.self)
        for index in 0..<outputs[0].elementCount { target[index] = T(double: 0) }
        for band in 0..<bands {
            let (first, centre, last) = (edges[band], edges[band + 1], edges[band + 2])
            if first >= centre {
                target[centre * bands + band] = T(double: 1)
            } else {
                for bin in first...centre {
                    target[bin * bands + band] = T(double: Double(bin - first) / Double(centre - first))
                }
            }
            if centre < last {
                for bin in centre..<last {
                    target[bin * bands + band] = T(double: Double(last - bin) / Double(last - centre))
                }
            }
        }
    }
}
