extension Where: MovingOperator {
    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func move<Word: ElementWord>(_ word: Word.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let condition = try required(inputs, 0)
        let (a, b) = (try required(inputs, 1), try required(inputs, 2))
        let shape = outputs[0].shape
        let rows = StridedRows(
            shape, [shape.rowMajorStrides] + [condition, a, b].map { $0.shape.broadcastStrides(to: shape) })
        let (tests, first, second) = (condition.pointer(UInt8.self), a.words(Word.self), b.words(Word.self))
        let target = outputs[0].words(Word.self)
        let steps = (rows.steps[1], rows.steps[2], rows.steps[3])
        rows.forEach { offsets in
            let t = target + offsets[0]
            let (c, x, y) = (tests + offsets[1], first + offsets[2], second + offsets[3])
            for index in 0..<rows.count {
                t[index] = c[index &* steps.0] != 0 ? x[index &* steps.1] : y[index &* steps.2]
            }
        }
    }
}
