/// The steps of a recurrent layer of 32-bit floats whose products with the input were computed before, all at once.
///
/// Inputs: the products of the input with the weights, biases added (sequence, batch, directions · gates · size; with
/// `isBatchFirst` batch, sequence, …); the recurrent weights, a constant (directions, gates · size, size); for gated
/// recurrent units the biases of the recurrent products (directions, gates · size); the first state and, of an LSTM,
/// the first cell, both optional. Outputs as those of `RecurrentNetwork`.
package struct RecurrentSteps: Operator {
    package enum Kind: Hashable, Sendable {
        /// state = activation(products).
        case plain(Activation)
        /// The reset gate is applied behind the recurrent weights.
        case gru
        case lstm
    }

    package var kind: Kind
    package var direction: RecurrentNetwork.Direction
    package var hiddenSize: Int
    package var isBatchFirst: Bool

    package var name: String { "RecurrentSteps" }

    var directions: Int { direction == .both ? 2 : 1 }

    var gates: Int {
        switch kind {
        case .plain: 1
        case .gru: 3
        case .lstm: 4
        }
    }

    /// Numbers of sequences and their length, from the shape of the products.
    func extent(_ products: Shape) -> (sequence: Int, batch: Int) {
        isBatchFirst ? (products[1], products[0]) : (products[0], products[1])
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let products = try requiredFloat(inputs, 0)
        let rows = gates * hiddenSize
        try check(
            products.type == .float32 && products.shape.count == 3 && products.shape[2] == directions * rows,
            "products of shape \(products.shape)")
        let (sequence, batch) = extent(products.shape)
        let state = isBatchFirst ? [batch, directions, hiddenSize] : [directions, batch, hiddenSize]
        let shapes: [Int: Shape] = [1: [directions, rows, hiddenSize], 2: [directions, rows], 3: state, 4: state]
        for (index, shape) in shapes where index == 1 || isPresent(inputs, index) {
            let other = try required(inputs, index)
            try check(
                other.shape == shape && other.type == .float32,
                "input \(index) is of type \(other.type), shape \(other.shape), not \(shape)")
        }
        let all =
            isBatchFirst ? [batch, sequence, directions, hiddenSize] : [sequence, directions, batch, hiddenSize]
        _ = try all.checkedElementCount(.float32)
        return .known([all, state, state].map { TensorDescription(.float32, $0) })
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        Int.saturatingProduct([2 * gates, hiddenSize, outputs.first?.shape.elementCount ?? 0])
    }
}
