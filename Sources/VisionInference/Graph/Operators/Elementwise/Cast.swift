/// Turns elements into another type. Floats become whole numbers by cutting their fraction off, within the range of the
/// type; truth is what is not zero.
package struct Cast: ElementwiseOperator {
    package var to: ElementType

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        .known([TensorDescription(to, try required(inputs, 0).shape)])
    }
}
