extension WindowConvolution: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let weights = try required(inputs, 1)
        let source = data.elements(type)
        let factors = weights.elements(type)
        let bias = optional(inputs, 2)?.elements(type)
        let target = outputs[0].elements(type)
        let sizes = Array(data.shape[2...])
        let steps = sizes.rowMajorStrides
        let plane = sizes.elementCount
        let taps = window.kernel.elementCount
        let channels = weights.shape[1]
        let results = weights.shape[0] / groups
        let outputPlane = window.output.elementCount
        for image in 0..<data.shape[0] {
            for result in 0..<weights.shape[0] {
                let group = result / results
                forEachIndex(window.output) { position, number in
                    var sum = bias?[result].double ?? 0
                    for channel in 0..<channels {
                        let base = (image * data.shape[1] + group * channels + channel) * plane
                        let first = (result * channels + channel) * taps
                        window.forEach(position, input: sizes, strides: steps) { offset, tap in
                            sum += source[base + offset].double * factors[first + tap].double
                        }
                    }
                    target[(image * weights.shape[0] + result) * outputPlane + number] = T(double: sum)
                }
            }
        }
    }
}

extension WindowTransposedConvolution: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let weights = try required(inputs, 1)
        let source = data.elements(type)
        let factors = weights.elements(type)
        let bias = optional(inputs, 2)?.elements(type)
        let target = outputs[0].elements(type)
        let steps = result.rowMajorStrides
        let plane = result.elementCount
        let inputPlane = window.output.elementCount
        let taps = window.kernel.elementCount
        let perGroup = weights.shape[1]
        let channels = data.shape[1] / groups
        var sums = [Double](repeating: 0, count: plane)
        for image in 0..<data.shape[0] {
            for out in 0..<perGroup * groups {
                let start = bias?[out].double ?? 0
                for index in sums.indices { sums[index] = start }
                for channel in out / perGroup * channels..<(out / perGroup + 1) * channels {
                    let first = (channel * perGroup + out % perGroup) * taps
                    let base = (image * data.shape[1] + channel) * inputPlane
                    forEachIndex(window.output) { position, number in
                        let value = source[base + number].double
                        window.forEach(position, input: result, strides: steps) { offset, tap in
                            sums[offset] += value * factors[first + tap].double
                        }
                    }
                }
                let slot = (image * perGroup * groups + out) * plane
                for index in sums.indices { target[slot + index] = T(double: sums[index]) }
            }
        }
    }
}
