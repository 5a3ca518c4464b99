internal import Foundation

extension WindowPool: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.elements(type)
        let target = outputs[0].elements(type)
        let positions = outputs.count > 1 ? outputs[1].elements(Int64.self) : nil
        let sizes = Array(input.shape[2...])
        let steps = sizes.rowMajorStrides
        let plane = sizes.elementCount
        let outputPlane = window.output.elementCount
        let columnSteps = Self.columnMajorSteps(sizes)
        for channel in 0..<input.shape[0] * input.shape[1] {
            let base = channel * plane
            forEachIndex(window.output) { position, number in
                let out = channel * outputPlane + number
                switch kind {
                case .maximum(let columnMajor):
                    var best: Int?
                    window.forEach(position, input: sizes, strides: steps) { offset, _ in
                        if let found = best, !(source[base + found].wide < source[base + offset].wide) { return }
                        best = offset
                    }
                    target[out] = best.map { source[base + $0] } ?? T(double: -.infinity)
                    let index = best.map { best in
                        columnMajor
                            ? zip(steps.indices, columnSteps).reduce(0) { $0 + best / steps[$1.0] % sizes[$1.0] * $1.1 }
                            : best
                    }
                    positions?[out] = Int64(base + (index ?? 0))
                case .average(let countsPadding):
                    var sum = 0.0
                    var count = 0
                    window.forEach(position, input: sizes, strides: steps) { offset, _ in
                        sum += source[base + offset].double
                        count += 1
                    }
                    if countsPadding { count = paddedCount(position, sizes) }
                    target[out] = T(double: count == 0 ? 0 : sum / Double(count))
                case .norm(let p):
                    var sum = 0.0
                    window.forEach(position, input: sizes, strides: steps) { offset, _ in
                        sum += pow(abs(source[base + offset].double), p)
                    }
                    target[out] = T(double: pow(sum, 1 / p))
                }
            }
        }
    }

    private static func columnMajorSteps(_ sizes: [Int]) -> [Int] {
        var step = 1
        return sizes.map { size in
            defer { step *= size }
            return step
        }
    }

    /// Elements under the window that lie in the input or its padding.
    private func paddedCount(_ position: [Int], _ sizes: [Int]) -> Int {
        (0..<window.rank).reduce(1) { count, axis in
            let start = position[axis] * window.strides[axis] - window.before[axis]
            let end = sizes[axis] + window.after[axis]
            let inside = (0..<window.kernel[axis]).count { start + $0 * window.dilations[axis] < end }
            return count * inside
        }
    }
}
