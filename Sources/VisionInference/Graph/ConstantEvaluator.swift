/// Computes operators whose inputs are all known. A back end supplies it to graphs, which know no back end.
package protocol ConstantEvaluator: Sendable {
    /// - Parameter outputs: the types and shapes that `infer` gave.
    func evaluate(
        _ operation: any Operator, _ inputs: [Tensor?], outputs: [TensorDescription]
    ) throws -> [Tensor]

    /// Computes an operator whose output shapes depend on the elements of its inputs.
    func evaluate(_ operation: any Operator, _ inputs: [Tensor?]) throws -> [Tensor]
}
