extension RecurrentNetwork: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let sequence = input.shape[isBatchFirst ? 1 : 0]
        let batch = input.shape[isBatchFirst ? 0 : 1]
        var lengths = [Int](repeating: sequence, count: batch)
        if let view = optional(inputs, 4) {
            for index in 0..<batch {
                lengths[index] = view.index(at: index)
                try check((0...sequence).contains(lengths[index]), "length \(lengths[index]) of \(sequence)")
            }
        }
        for output in outputs { clearBytes(output.byteCount, at: output.base) }
        for index in 0..<directions {
            var cell = RecurrentCell<T>(self, direction: index, inputs)
            let runsBackwards = direction == .reverse || index == 1
            for item in 0..<batch {
                let state = (isBatchFirst ? item * directions + index : index * batch + item) * hiddenSize
                cell.start(inputs, state)
                for step in 0..<lengths[item] {
                    let time = runsBackwards ? lengths[item] - 1 - step : step
                    let features = cell.features
                    cell.step(
                        input.pointer(T.self) + (isBatchFirst ? item * sequence + time : time * batch + item) * features
                    )
                    let position =
                        isBatchFirst
                        ? (item * sequence + time) * directions + index : (time * directions + index) * batch + item
                    cell.storeState(outputs[0].pointer(T.self) + position * hiddenSize)
                }
                if outputs.count > 1 { cell.storeState(outputs[1].pointer(T.self) + state) }
                if outputs.count > 2, gates == 4 { cell.storeCell(outputs[2].pointer(T.self) + state) }
            }
        }
    }
}
