/// One direction of a recurrent layer, and its state.
struct RecurrentCell<T: FloatScalar> {
    typealias Wide = T.Wide

    private let operation: RecurrentNetwork
    private let functions: [RecurrentNetwork.Function]
    private let direction: Int
    private let size: Int
    let features: Int
    /// Weights with the gates of one feature together: a step adds up long rows.
    private let weights: [Wide]
    private let recurrent: [Wide]
    /// Biases of both, the gates of a GRU's candidate apart.
    private var bias: [Wide]
    private var recurrentBias: [Wide]
    private let peepholes: [Wide]?
    private var state: [Wide]
    private var cell: [Wide]
    private var gates: [Wide]
    private var candidate: [Wide]

    init(_ operation: RecurrentNetwork, direction: Int, _ inputs: [TensorView?]) {
        self.operation = operation
        self.direction = direction
        functions = operation.functions(ofDirection: direction)
        let size = operation.hiddenSize
        let rows = operation.gates * size
        self.size = size
        func transposed(_ view: TensorView?) -> [Wide] {
            guard let view else { return [] }
            let columns = view.shape[2]
            let source = view.pointer(T.self) + direction * rows * columns
            var result = [Wide](repeating: 0, count: rows * columns)
            for row in 0..<rows {
                for column in 0..<columns { result[column * rows + row] = source[row * columns + column].wide }
            }
            return result
        }
        weights = transposed(inputs[1])
        recurrent = transposed(inputs[2])
        features = inputs[1]?.shape[2] ?? 0
        let zeros = [Wide](repeating: 0, count: rows)
        (bias, recurrentBias) = (zeros, zeros)
        if inputs.count > 3, let view = inputs[3] {
            let source = view.pointer(T.self) + direction * 2 * rows
            for row in 0..<rows {
                bias[row] = source[row].wide
                recurrentBias[row] = source[rows + row].wide
            }
        }
        peepholes =
            inputs.count > 7
            ? inputs[7].map { view in (0..<3 * size).map { view.pointer(T.self)[direction * 3 * size + $0].wide } }
            : nil
        state = [Wide](repeating: 0, count: size)
        cell = state
        gates = zeros
        candidate = zeros
    }

    /// Takes the first state and cell of a sequence.
    mutating func start(_ inputs: [TensorView?], _ offset: Int) {
        func first(_ index: Int) -> [Wide] {
            guard index < inputs.count, let view = inputs[index] else { return [Wide](repeating: 0, count: size) }
            return (0..<size).map { view.pointer(T.self)[offset + $0].wide }
        }
        state = first(5)
        cell = operation.gates == 4 ? first(6) : []
    }

    func storeState(_ target: UnsafeMutablePointer<T>) {
        for index in 0..<size { target[index] = T(wide: state[index]) }
    }

    func storeCell(_ target: UnsafeMutablePointer<T>) {
        for index in 0..<size { target[index] = T(wide: cell[index]) }
    }

    private func limited(_ value: Wide, _ function: Int) -> Wide {
        var value = Double(value)
        if let clip = operation.clip { value = min(max(value, -Double(clip)), Double(clip)) }
        return Wide(functions[function](value))
    }

    mutating func step(_ input: UnsafePointer<T>) {
        let rows = gates.count
        for row in 0..<rows { gates[row] = bias[row] }
        Self.accumulate(&gates, weights, count: features) { input[$0].wide }
        switch operation.kind {
        case .plain:
            addRecurrent()
            for index in 0..<size { state[index] = limited(gates[index], 0) }
        case .lstm(let couplesForget):
            addRecurrent()
            for index in 0..<size {
                var (inGate, outGate, forget) = (gates[index], gates[size + index], gates[2 * size + index])
                if let peepholes {
                    inGate += peepholes[index] * cell[index]
                    forget += peepholes[2 * size + index] * cell[index]
                }
                let opened = limited(inGate, 0)
                let kept = couplesForget ? 1 - opened : limited(forget, 0)
                cell[index] = kept * cell[index] + opened * limited(gates[3 * size + index], 1)
                if let peepholes { outGate += peepholes[size + index] * cell[index] }
                state[index] = limited(outGate, 0) * Wide(functions[2](Double(cell[index])))
            }
        case .gru(let linearBeforeReset):
            stepGated(linearBeforeReset)
        }
    }

    private mutating func addRecurrent() {
        for row in gates.indices { gates[row] += recurrentBias[row] }
        let state = state
        Self.accumulate(&gates, recurrent, count: size) { state[$0] }
    }

    /// Gates: update, reset, candidate.
    private mutating func stepGated(_ linearBeforeReset: Bool) {
        for row in candidate.indices { candidate[row] = recurrentBias[row] }
        let old = state
        Self.accumulate(&candidate, recurrent, count: size) { old[$0] }
        var reset = [Wide](repeating: 0, count: size)
        for index in 0..<size {
            reset[index] = limited(gates[size + index] + candidate[size + index], 0)
        }
        if !linearBeforeReset {
            // The candidate's part is made anew from the state that has been reset.
            var parts = recurrentBias
            Self.accumulate(&parts, recurrent, count: size) { reset[$0] * old[$0] }
            for index in 0..<size { candidate[2 * size + index] = parts[2 * size + index] }
        } else {
            for index in 0..<size { candidate[2 * size + index] *= reset[index] }
        }
        for index in 0..<size {
            let update = limited(gates[index] + candidate[index], 0)
            let new = limited(gates[2 * size + index] + candidate[2 * size + index], 1)
            state[index] = (1 - update) * new + update * old[index]
        }
    }

    /// sums += the rows of a matrix, each times one factor.
    private static func accumulate(
        _ sums: inout [Wide], _ matrix: [Wide], count: Int, _ factor: (Int) -> Wide
    ) {
        sums.withUnsafeMutableBufferPointer { sums in
            matrix.withUnsafeBufferPointer { matrix in
                let rows = sums.count
                for index in 0..<count {
                    let value = factor(index)
                    let start = index * rows
                    for row in 0..<rows { sums[row] += value * matrix[start + row] }
                }
            }
        }
    }
}
