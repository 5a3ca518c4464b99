/// 32-bit floats of a distribution, in the shape that input 0 lists. They follow from the seed and the position of
/// each: no run has others than the one before.
package struct RandomNumbers: Operator {
    package enum Distribution: Hashable, Sendable {
        case normal(mean: Float, deviation: Float)
        /// From the first number to before the second.
        case uniform(Float, Float)
        /// 1 with this probability, else 0.
        case bernoulli(Float)
    }

    package var distribution: Distribution
    package var seed: UInt64

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        switch try integers(inputs, 0) {
        case .absent: throw ModelError.invalid("RandomNumbers lacks its shape")
        case .unknown: return .dependsOnData
        case .values(let shape):
            _ = try shape.checkedElementCount(.float32)
            return .known([TensorDescription(.float32, shape)])
        }
    }
}
