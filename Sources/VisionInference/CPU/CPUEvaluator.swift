/// Computes operators on constants, and during a run those whose shapes depend on data, on the calling thread.
package struct CPUEvaluator: ConstantEvaluator {
    package func evaluate(
        _ operation: any Operator, _ inputs: [Tensor?], outputs: [TensorDescription]
    ) throws -> [Tensor] {
        if operation.isView, let input = inputs.first ?? nil, let output = outputs.first {
            // Further outputs of a view are constants.
            return [try input.reshaped(output.shape)] + outputs.dropFirst().compactMap(\.constant)
        }
        let results = try outputs.map { try $0.constant ?? Tensor(zeros: $0.shape, of: $0.type) }
        if outputs.allSatisfy({ $0.constant != nil }) { return results }
        let operation = try Self.implementation(of: operation)
        try withExtendedLifetime(inputs) {
            let views = (inputs: inputs.map { $0?.view }, outputs: results.map(\.view))
            if let plain = operation as? any PlainOperator { return try plain.run(views.inputs, views.outputs) }
            let step = try operation.prepare(
                inputs.map { $0.map { TensorDescription($0) } }, outputs, Preparation(weights: WeightCache()))
            let scratch = TensorStorage(byteCount: step.scratchBytes(threads: 1))
            try withExtendedLifetime(scratch) {
                try step.run(
                    StepBuffers(inputs: views.inputs, outputs: views.outputs, scratch: scratch.base), .single)
            }
        }
        return results
    }

    package func evaluate(_ operation: any Operator, _ inputs: [Tensor?]) throws -> [Tensor] {
        if let composite = operation as? any CompositeOperator { return try composite.evaluate(inputs, by: self) }
        return try Self.implementation(of: operation).runDynamically(inputs)
    }

    static func implementation(of operation: any Operator) throws -> any CPUOperator {
        guard let operation = operation as? any CPUOperator else {
            throw ModelError.unsupported("the processor does not run it")
        }
        return operation
    }
}

extension ShapedGraph {
    /// A graph whose constants the processor computes.
    package init(_ graph: Graph, inputs: [TensorDescription]) throws {
        try self.init(graph, inputs: inputs, evaluator: CPUEvaluator())
    }
}
