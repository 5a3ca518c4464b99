/// The second input where the first is true, else the third; shapes are broadcast.
package struct Where: BroadcastingOperator {
    package init() {}

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let condition = try required(inputs, 0)
        let a = try required(inputs, 1)
        let b = try required(inputs, 2)
        try check(condition.type == .bool, "condition of type \(condition.type)")
        try check(a.type == b.type, "inputs of types \(a.type) and \(b.type)")
        let shape = try condition.shape.broadcast(with: a.shape).broadcast(with: b.shape)
        return .known([TensorDescription(a.type, shape)])
    }
}
