import VisionThreads

extension Pad: CPUOperator {
    /// Mirrors and repetitions go as far as needed.
    private func source(_ index: Int, _ size: Int) -> Int {
        if (0..<size).contains(index) { return index }
        switch mode {
        case .constant: return -1
        case .edge: return index < 0 ? 0 : size - 1
        case .wrap:
            let rest = index % size
            return rest < 0 ? rest + size : rest
        case .reflect:
            guard size > 1 else { return 0 }
            let period = 2 * (size - 1)
            let rest = (index % period + period) % period
            return rest < size ? rest : period - rest
        case .symmetric:
            let period = 2 * size
            let rest = (index % period + period) % period
            return rest < size ? rest : period - 1 - rest
        }
    }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        let input = try required(inputs, 0)
        let output = outputs[0].shape
        guard let pads = try pads(inputs) else { throw ModelError.invalid("Pad does not know its numbers") }
        if mode == .constant {
            return ConstantPadStep(before: pads.before, input: input.shape, output: output, elementType: input.type)
        }
        let indices = input.shape.indices.map { axis in
            (0..<output[axis]).map { source($0 - pads.before[axis], input.shape[axis]) }
        }
        return IndexedCopyStep(indices: indices, input: input.shape, output: output)
    }
}

/// A border of one value, and what is left of the input inside of it.
private struct ConstantPadStep: Step {
    private let copy: CopyStep

    init(before: [Int], input: Shape, output: Shape, elementType: ElementType) {
        // The part of the input that is inside of the output, along every axis.
        let first = before.map { max(-$0, 0) }
        let size = input.indices.map { axis in
            min(input[axis], output[axis] - before[axis]) - first[axis]
        }
        var copies: [StridedCopy] = []
        if size.allSatisfy({ $0 > 0 }) {
            let (from, to) = (input.rowMajorStrides, output.rowMajorStrides)
            copies.append(
                StridedCopy(
                    size, to: to, toOffset: input.indices.reduce(0) { $0 + max(before[$1], 0) * to[$1] }, from: from,
                    fromOffset: input.indices.reduce(0) { $0 + first[$1] * from[$1] }))
        }
        copy = CopyStep(copies: copies, size: elementType.size)
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        let output = buffers.outputs[0]
        if buffers.inputs.count > 2, let value = buffers.inputs[2] {
            fill(output, UnsafeRawPointer(value.base))
        } else {
            clearBytes(output.byteCount, at: output.base)
        }
        try copy.run(buffers, workers)
    }
}
