internal import Foundation

/// A recurrent layer: plain, gated (GRU) or with long short-term memory (LSTM), forwards, backwards or both.
///
/// Inputs: x (sequence, batch, features), weights and recurrent weights (directions, gates · size, …), and optionally
/// biases (directions, 2 · gates · size), the length of each sequence, the first state, and for an LSTM the first cell
/// and the peepholes (directions, 3 · size). Outputs: all states (sequence, directions, batch, size), the last, and the
/// last cell. With `isBatchFirst` the batch comes first everywhere but in the weights.
package struct RecurrentNetwork: Operator {
    package enum Kind: Hashable, Sendable {
        case plain
        /// With `linearBeforeReset` the reset gate is applied behind the recurrent weights.
        case gru(linearBeforeReset: Bool)
        /// With `couplesForget` the forget gate is what the input gate leaves.
        case lstm(couplesForget: Bool)
    }

    package enum Direction: Hashable, Sendable { case forward, reverse, both }

    /// A function of one number, as the ONNX attributes name it.
    package enum Function: Hashable, Sendable {
        case activation(Activation.Kind)
        case affine(alpha: Float, beta: Float)
        /// alpha tanh(beta x).
        case scaledTanh(alpha: Float, beta: Float)
        case softsign
        /// x above alpha, else 0.
        case thresholdedRelu(alpha: Float)

        func callAsFunction(_ x: Double) -> Double {
            switch self {
            case .activation(let kind): Activation(kind)(x)
            case .affine(let alpha, let beta): Double(alpha) * x + Double(beta)
            case .scaledTanh(let alpha, let beta): Double(alpha) * tanh(Double(beta) * x)
            case .softsign: x / (1 + x.magnitude)
            case .thresholdedRelu(let alpha): x > Double(alpha) ? x : 0
            }
        }
    }

    package var kind: Kind
    package var direction: Direction = .forward
    package var hiddenSize: Int
    /// For each direction the functions of the gates, of what is added, and (LSTM) of the cell; nil: sigmoid and tanh.
    package var functions: [Function]?
    /// What goes into the functions is kept between −clip and clip.
    package var clip: Float?
    package var isBatchFirst = false

    package var name: String {
        switch kind {
        case .plain: "RNN"
        case .gru: "GRU"
        case .lstm: "LSTM"
        }
    }

    var directions: Int { direction == .both ? 2 : 1 }

    var gates: Int {
        switch kind {
        case .plain: 1
        case .gru: 3
        case .lstm: 4
        }
    }

    /// Functions of one direction: as many as the kind has.
    func functions(ofDirection index: Int) -> [Function] {
        let usual: [Function] =
            switch kind {
            case .plain: [.activation(.tanh)]
            case .gru: [.activation(.sigmoid), .activation(.tanh)]
            case .lstm: [.activation(.sigmoid), .activation(.tanh), .activation(.tanh)]
            }
        guard let functions else { return usual }
        return Array(functions[index * usual.count..<(index + 1) * usual.count])
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        try check(input.shape.count == 3, "x of shape \(input.shape)")
        let (sequence, batch) =
            isBatchFirst ? (input.shape[1], input.shape[0]) : (input.shape[0], input.shape[1])
        try check((1...1 << 20).contains(hiddenSize), "size \(hiddenSize)")
        if let functions {
            let wanted = directions * (gates == 1 ? 1 : gates - 1)
            try check(functions.count == wanted, "\(functions.count) functions, not \(wanted)")
        }
        let rows = gates * hiddenSize
        let state = isBatchFirst ? [batch, directions, hiddenSize] : [directions, batch, hiddenSize]
        let shapes: [Int: Shape] = [
            1: [directions, rows, input.shape[2]], 2: [directions, rows, hiddenSize], 3: [directions, 2 * rows],
            5: state, 6: state, 7: [directions, 3 * hiddenSize],
        ]
        for (index, shape) in shapes where index < 3 || isPresent(inputs, index) {
            let other = try required(inputs, index)
            try check(
                other.shape == shape && other.type == input.type,
                "input \(index) is of type \(other.type), shape \(other.shape), not \(shape)")
        }
        if isPresent(inputs, 4) {
            try check(try requiredIndices(inputs, 4).shape == [batch], "as many lengths as batches are wanted")
        }
        let all =
            isBatchFirst ? [batch, sequence, directions, hiddenSize] : [sequence, directions, batch, hiddenSize]
        _ = try all.checkedElementCount(input.type)
        return .known([all, state, state].map { TensorDescription(input.type, $0) })
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        let features = (inputs.first ?? nil)?.shape.last ?? 0
        return Int.saturatingProduct([2 * gates, features + hiddenSize, outputs.first?.shape.elementCount ?? 0])
    }
}
