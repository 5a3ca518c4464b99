import VisionThreads

/// How an operator runs on the processor, with tensors in host memory.
package protocol CPUOperator: Operator {
    /// The step that does the work in a network with these shapes: weights are packed and kernels chosen here.
    func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step

    /// Computes the outputs of an operator whose output shapes depend on its data.
    func runDynamically(_ inputs: [Tensor?]) throws -> [Tensor]

    /// The input (of the same size, read for the last time here) whose memory the first output may use; nil: none.
    var inPlaceInput: Int? { get }
}

/// An operator that runs on one thread and keeps nothing between runs.
package protocol PlainOperator: CPUOperator {
    /// Computes the outputs, whose types and shapes are those that `infer` gave.
    func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws
}

extension CPUOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        throw ModelError.invalid("\(name) has no output shape before it runs")
    }

    package func runDynamically(_ inputs: [Tensor?]) throws -> [Tensor] {
        throw ModelError.unsupported("its output has no definite shape")
    }

    package var inPlaceInput: Int? { nil }

    // Help for conformers

    /// The view of an input that `infer` found to be there.
    package func required(_ inputs: [TensorView?], _ index: Int) throws -> TensorView {
        guard let input = optional(inputs, index) else { throw ModelError.invalid("\(name) lacks input \(index)") }
        return input
    }

    func optional(_ inputs: [TensorView?], _ index: Int) -> TensorView? { index < inputs.count ? inputs[index] : nil }

    /// A small input of whole numbers, which `infer` has read.
    func integers(_ inputs: [TensorView?], _ index: Int) -> [Int]? { optional(inputs, index)?.integers }
}

extension CPUOperator where Self: ElementwiseOperator {
    package var inPlaceInput: Int? { 0 }
}

extension PlainOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        PlainStep(operation: self)
    }
}

/// Runs an operator as it is, on one thread.
struct PlainStep: Step {
    let operation: any PlainOperator

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        try operation.run(buffers.inputs, buffers.outputs)
    }
}
