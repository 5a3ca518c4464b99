/// What is known of a value before the network runs.
package struct TensorDescription: Sendable {
    package var type: ElementType
    package var shape: Shape
    /// The value itself where it does not depend on the network's inputs.
    package var constant: Tensor?

    package init(_ type: ElementType, _ shape: Shape, constant: Tensor? = nil) {
        self.type = type
        self.shape = shape
        self.constant = constant
    }

    package init(_ tensor: Tensor) { self.init(tensor.type, tensor.shape, constant: tensor) }
}

/// What an operator can say of its outputs before it runs.
package enum Inference: Sendable {
    /// Types and shapes; constants where the inputs' shapes alone decide them.
    case known([TensorDescription])
    /// The shapes depend on the elements of inputs that are not known yet. During the run the question is asked again
    /// with all inputs as constants; an operator that still answers this says the shapes with its results
    /// (`ConstantEvaluator`).
    case dependsOnData
}

/// What one kind of computation means: its parameters, and what follows from the shapes of its inputs. How it is
/// computed is a back end's business (`CPUOperator`).
///
/// Shapes are always concrete here: a network is prepared anew for every set of input shapes.
package protocol Operator: Sendable {
    /// What is known of the inputs (nil for one that was left out) and of the outputs.
    typealias Inputs = [TensorDescription?]
    typealias Outputs = [TensorDescription]

    /// As errors and profiles show it.
    var name: String { get }

    /// Checks the inputs (nil for one that was left out) and says what comes out. Everything that back ends rely on is
    /// checked here, with overflow in mind: inputs come from files that nobody has vouched for.
    func infer(_ inputs: [TensorDescription?]) throws -> Inference

    /// The first output is the first input's bytes under another shape: nothing to do when the network runs.
    var isView: Bool { get }

    /// Whether the operator runs before the network does when all its inputs are constant.
    var foldsConstants: Bool { get }

    /// For transposes that wander towards the outputs: if every input that is listed in the answer is transposed by
    /// `permutation`, this operator is the answer's operator on the inputs as they were before, followed by a transpose
    /// of the outputs. nil when it is not that simple.
    func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking?

    /// The operator as an activation of one input, so that whatever makes the input can apply it.
    func activation(_ inputs: [TensorDescription?]) -> Activation?

    /// Multiplications and additions of one run, for profiles.
    func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int
}

/// How a transpose passes through an operator.
package struct Sinking {
    /// The operator for inputs that are not transposed.
    package var replacement: any Operator
    /// Inputs that the transpose is taken from. Others stay as they are.
    package var inputs: [Int]
    /// The transpose of each output.
    package var outputPermutations: [[Int]]
}

extension Operator {
    /// The type's name, for operators that are shown under no other.
    package var name: String { "\(Self.self)" }

    package var isView: Bool { false }
    package var foldsConstants: Bool { true }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? { nil }

    package func activation(_ inputs: [TensorDescription?]) -> Activation? { nil }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        outputs.first?.shape.elementCount ?? 0
    }

    // Help for conformers

    /// The description of an input that must be there.
    package func required(_ inputs: [TensorDescription?], _ index: Int) throws -> TensorDescription {
        guard index < inputs.count, let input = inputs[index] else {
            throw ModelError.invalid("\(name) lacks input \(index)")
        }
        return input
    }
}
