internal import Foundation

extension LpNormalization: FloatOperator {
    package var inPlaceInput: Int? { 0 }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        forEachLine(try required(inputs, 0), outputs[0], axis: axis, T.self) { source, target, size, step in
            var sum = 0.0
            for index in 0..<size {
                let value = source[index * step].double
                sum += p == 1 ? value.magnitude : value * value
            }
            let norm = max(p == 1 ? sum : sum.squareRoot(), Double(epsilon))
            for index in 0..<size {
                target[index * step] = T(double: norm == 0 ? 0 : source[index * step].double / norm)
            }
        }
    }
}

extension MeanVarianceNormalization: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axes = Set(try resolvedAxes(axes, input.shape))
        let strides = input.shape.rowMajorStrides
        let kept = input.shape.indices.filter { !axes.contains($0) }
        let reduced = input.shape.indices.filter { axes.contains($0) }
        let outer = StridedRows(kept.map { input.shape[$0] }, [kept.map { strides[$0] }])
        let inner = StridedRows(reduced.map { input.shape[$0] }, [reduced.map { strides[$0] }])
        let count = Double(inner.rowCount * inner.count)
        let (source, target) = (input.pointer(T.self), outputs[0].pointer(T.self))
        outer.forEach { row in
            for index in 0..<outer.count {
                let start = row[0] + index * outer.steps[0]
                func forEach(_ body: (Int) -> Void) {
                    inner.forEach { line in
                        for position in 0..<inner.count { body(start + line[0] + position * inner.steps[0]) }
                    }
                }
                var sum = 0.0
                forEach { sum += source[$0].double }
                let mean = sum / count
                var squares = 0.0
                forEach { squares += (source[$0].double - mean) * (source[$0].double - mean) }
                let deviation = (squares / count).squareRoot() + 1e-9
                forEach { target[$0] = T(double: (source[$0].double - mean) / deviation) }
            }
        }
    }
}

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
