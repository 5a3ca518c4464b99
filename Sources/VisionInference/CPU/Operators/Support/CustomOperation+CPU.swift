extension CustomOperation: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let sources = try inputs.indices.map { index in
            let view = try required(inputs, index)
            return (shape: view.shape, elements: UnsafeBufferPointer(view.elements(Float.self)))
        }
        try layer.evaluate(sources, outputs.map { (shape: $0.shape, elements: $0.elements(Float.self)) })
    }
}
