import VisionThreads

/// Every element of the output is one of the input: a list for every axis says which index it comes from.
struct IndexedCopyStep: Step {
    /// Offsets in elements of the input, by axis of the output.
    private let offsets: [[Int]]
    private let shape: Shape

    /// - Parameter indices: for every axis, as many as the output is long, each below the input's size.
    init(indices: [[Int]], input: Shape, output: Shape) {
        let strides = input.rowMajorStrides
        offsets = indices.indices.map { axis in indices[axis].map { $0 * strides[axis] } }
        shape = output
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs[0] else { throw ModelError.invalid("a copying step lacks its input") }
        let output = buffers.outputs[0]
        guard !shape.contains(0) else { return }
        switch output.type.size {
        case 1: run(UInt8.self, input, output)
        case 2: run(UInt16.self, input, output)
        case 4: run(UInt32.self, input, output)
        default: run(UInt64.self, input, output)
        }
    }

    private func run<Word: ElementWord>(
        _ word: Word.Type, _ input: TensorView, _ output: TensorView
    ) {
        let source = input.words(Word.self)
        var target = output.words(Word.self)
        guard let last = offsets.last else {
            target[0] = source[0]
            return
        }
        let outer = offsets.dropLast()
        var index = [Int](repeating: 0, count: outer.count)
        while true {
            var base = 0
            for axis in outer.indices { base += outer[axis][index[axis]] }
            let row = source + base
            for (column, offset) in last.enumerated() { target[column] = row[offset] }
            target += last.count
            var axis = outer.count - 1
            while axis >= 0 {
                index[axis] += 1
                if index[axis] < outer[axis].count { break }
                index[axis] = 0
                axis -= 1
            }
            if axis < 0 { return }
        }
    }
}
