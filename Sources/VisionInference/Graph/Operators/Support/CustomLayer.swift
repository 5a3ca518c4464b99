/// A layer that is computed by the program which opened the network's file. Used from any thread.
package protocol CustomLayer: Sendable {
    /// The shapes of the outputs for inputs of these shapes.
    func outputShapes(_ inputs: [Shape]) throws -> [Shape]

    /// Computes the outputs, whose shapes are those that `outputShapes` gave. The elements are in row-major order, and
    /// valid during the call only.
    func evaluate(
        _ inputs: [(shape: Shape, elements: UnsafeBufferPointer<Float>)],
        _ outputs: [(shape: Shape, elements: UnsafeMutableBufferPointer<Float>)]
    ) throws
}

/// Runs a custom layer on floats.
package struct CustomOperation: Operator {
    package let layer: any CustomLayer
    package let outputCount: Int

    package var name: String { "custom" }

    // The layer may do other things than compute.
    package var foldsConstants: Bool { false }

    package init(layer: any CustomLayer, outputCount: Int) {
        self.layer = layer
        self.outputCount = outputCount
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let shapes = try inputs.indices.map { index in
            let input = try required(inputs, index)
            guard input.type == .float32 else { throw ModelError.invalid("a custom layer of \(input.type)") }
            return input.shape
        }
        let results = try layer.outputShapes(shapes)
        guard results.count == outputCount else {
            throw ModelError.invalid("a custom layer with \(outputCount) outputs gave \(results.count) shapes")
        }
        for shape in results {
            guard shape.count <= ModelLimits.rank, shape.allSatisfy({ $0 >= 0 }) else {
                throw ModelError.invalid("a custom layer gave the shape \(shape)")
            }
            _ = try shape.checkedElementCount(.float32)
        }
        return .known(results.map { TensorDescription(.float32, $0) })
    }
}
