extension QuantizeLinear: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let scaleView = try required(inputs, 1)
        let scales = scaleView.floatElements ?? []
        let output = outputs[0]
        let zeroPoints = zeroPoints(inputs, count: scales.count)
        guard let range = output.type.quantisedRange,
            let values = input.floatElements ?? input.smallIntegers?.map({ Float($0) })
        else { return }
        var results = [Int](repeating: 0, count: values.count)
        try QuantisationAxis(input.shape, axis: axis, scales: scaleView.shape).forEachRun { index, elements in
            for element in elements {
                results[element] = quantised(values[element] / scales[index], zeroPoint: zeroPoints[index], range)
            }
        }
        output.store(integers: results)
    }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        let input = try required(inputs, 0)
        guard input.type == .float32, let scale = QuantisedScale(inputs, type: outputs[0].type) else {
            return PlainStep(operation: self)
        }
        return QuantiseStep(count: input.shape.elementCount, scale: scale)
    }
}

extension DequantizeLinear: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let scaleView = try required(inputs, 1)
        let scales = scaleView.floatElements ?? []
        let zeroPoints = zeroPoints(inputs, count: scales.count)
        let values = input.smallIntegers ?? []
        var results = [Float](repeating: 0, count: values.count)
        try QuantisationAxis(input.shape, axis: axis, scales: scaleView.shape).forEachRun { index, elements in
            for element in elements { results[element] = scales[index] * Float(values[element] - zeroPoints[index]) }
        }
        outputs[0].store(results)
    }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        let input = try required(inputs, 0)
        guard outputs[0].type == .float32, let scale = QuantisedScale(inputs, type: input.type) else {
            return PlainStep(operation: self)
        }
        return DequantiseStep(count: input.shape.elementCount, scale: scale)
    }
}

/// The zero points, which are zero when they are left out.
private func zeroPoints(_ inputs: [TensorView?], count: Int) -> [Int] {
    (inputs.count > 2 ? inputs[2]?.smallIntegers : nil) ?? [Int](repeating: 0, count: count)
}

extension DynamicQuantizeLinear: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0).elements(Float.self)
        var low: Float = 0
        var high: Float = 0
        for value in input {
            low = min(low, value)
            high = max(high, value)
        }
        let scale = high > low ? (high - low) / 255 : 1
        let zeroPoint = quantised(-low / scale, zeroPoint: 0, 0...255)
        if let output = outputs.first {
            output.store(integers: input.map { quantised($0 / scale, zeroPoint: zeroPoint, 0...255) })
        }
        if outputs.count > 1 { outputs[1].elements(Float.self)[0] = scale }
        if outputs.count > 2 { outputs[2].elements(UInt8.self)[0] = UInt8(zeroPoint) }
    }
}
