extension TransposedConvolution: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let weights = try required(inputs, 1)
        let bias = inputs.count > 2 ? inputs[2] : nil
        let step = try TransposedConvolutionStep(
            self, image: required(inputs, 0).shape, weights: weights.shape,
            values: (UnsafeRawPointer(weights.base), bias.map { UnsafeRawPointer($0.base) }))
        let scratch = TensorStorage(byteCount: step.scratchBytes(threads: 1))
        try step.run(StepBuffers(inputs: inputs, outputs: outputs, scratch: scratch.base), .single)
    }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        guard let weights = try required(inputs, 1).constant,
            inputs.count < 3 || inputs[2] == nil || inputs[2]?.constant != nil
        else { return PlainStep(operation: self) }
        let bias = inputs.count > 2 ? inputs[2]?.constant : nil
        return try withExtendedLifetime((weights, bias)) {
            try TransposedConvolutionStep(
                self, image: required(inputs, 0).shape, weights: weights.shape,
                values: (UnsafeRawPointer(weights.storage.base), bias.map { UnsafeRawPointer($0.storage.base) }))
        }
    }
}
