extension ColumnsToImage: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.elements(type)
        let target = outputs[0].elements(type)
        let block = window.kernel.elementCount
        let windows = window.output.elementCount
        let plane = image.elementCount
        let steps = image.rowMajorStrides
        for index in target.indices { target[index] = T(double: 0) }
        for channel in 0..<outputs[0].shape[0] * outputs[0].shape[1] {
            forEachIndex(window.output) { position, number in
                window.forEach(position, input: image, strides: steps) { offset, tap in
                    let slot = channel * plane + offset
                    let value = source[(channel * block + tap) * windows + number].wide
                    target[slot] = T(wide: T.add(target[slot].wide, value))
                }
            }
        }
    }
}
