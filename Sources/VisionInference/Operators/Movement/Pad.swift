import VisionThreads

/// Adds elements before and after each axis, or takes them away where the number is negative. Input 1 lists how many
/// before, then how many after, for all axes or those of input 3; input 2 is the value of new elements, else zero.
package struct Pad: Operator, OrderedOperator {
    package enum Mode: Hashable, Sendable {
        case constant
        /// Mirrored at the outermost elements, which are not repeated.
        case reflect
        /// Mirrored, the outermost elements being repeated: not in ONNX.
        case symmetric
        /// The outermost element again and again.
        case edge
        /// From the other end.
        case wrap
    }

    package var mode: Mode
    var order = AxisOrder()

    package init(mode: Mode = .constant) { self.mode = mode }

    package var name: String { "Pad" }

    /// Elements added before and after each axis; nil when that depends on data.
    private func pads(_ inputs: [TensorDescription?]) throws -> (before: [Int], after: [Int])? {
        let shape = try required(inputs, 0).shape
        var axes = Array(shape.indices)
        switch try integers(inputs, 3) {
        case .absent: break
        case .unknown: return nil
        case .values(let values): axes = try resolvedAxes(values, shape)
        }
        switch try integers(inputs, 1) {
        case .absent: throw ModelError.invalid("Pad lacks its numbers")
        case .unknown: return nil
        case .values(let values):
            try check(values.count == 2 * axes.count, "\(values.count) numbers for \(axes.count) axes")
            var before = [Int](repeating: 0, count: shape.count)
            var after = before
            for (index, axis) in axes.enumerated() {
                before[order(axis)] = values[index]
                after[order(axis)] = values[axes.count + index]
            }
            return (before, after)
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        if isPresent(inputs, 2) {
            let value = try required(inputs, 2)
            try check(
                value.type == input.type && value.shape.allSatisfy { $0 == 1 },
                "value of type \(value.type) and shape \(value.shape)")
        }
        guard let pads = try pads(inputs) else { return .dependsOnData }
        let shape = try input.shape.indices.map { axis in
            let (before, after, size) = (pads.before[axis], pads.after[axis], input.shape[axis])
            let limit = ModelLimits.tensorBytes
            try check(before.magnitude <= limit && after.magnitude <= limit, "\(before) and \(after) more on an axis")
            let result = size + before + after
            try check(result >= 0, "\(before) and \(after) more on an axis of size \(size)")
            try check(mode == .constant || size > 0 || result == 0, "mode \(mode) on an empty axis")
            // Other modes keep a table of where each element comes from, which may be far larger than the elements.
            try check(mode == .constant || result <= 1 << 24, "\(before) and \(after) more on an axis in mode \(mode)")
            return result
        }
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }

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

    fileprivate func indices(_ inputs: [TensorDescription?], _ output: Shape) throws -> [[Int]] {
        let shape = try required(inputs, 0).shape
        guard let pads = try pads(inputs) else { throw ModelError.invalid("Pad does not know its numbers") }
        return shape.indices.map { axis in
            (0..<output[axis]).map { source($0 - pads.before[axis], shape[axis]) }
        }
    }

    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let described = try inputs.map { try $0?.describedWithIntegers() }
        try step(described, outputs[0].shape).run(
            StepBuffers(inputs: inputs, outputs: outputs, scratch: outputs[0].base), .single)
    }

    package func prepare(
        _ inputs: [TensorDescription?], _ outputs: [TensorDescription], _ preparation: Preparation
    ) throws -> any Step {
        try step(inputs, outputs[0].shape)
    }

    private func step(_ inputs: [TensorDescription?], _ output: Shape) throws -> any Step {
        let input = try required(inputs, 0)
        if mode == .constant, let pads = try pads(inputs) {
            return ConstantPadStep(
                before: pads.before, input: input.shape, output: output, elementType: input.type)
        }
        return IndexedCopyStep(indices: try indices(inputs, output), input: input.shape, output: output)
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int { 0 }
}

/// A border of one value, and what is left of the input inside of it.
private struct ConstantPadStep: Step {
    private let copy: CopyStep

    /// Only the copies: the operator's inputs are those of `Pad`.
    private struct Interior: CopyingOperator {
        var name: String { "Pad" }
        func infer(_ inputs: [TensorDescription?]) throws -> Inference { .dependsOnData }
        func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> [StridedCopy] { [] }
    }

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
        copy = CopyStep(operation: Interior(), copies: copies, size: elementType.size)
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        let output = buffers.outputs[0]
        if buffers.inputs.count > 2, let value = buffers.inputs[2] {
            fill(output, UnsafeRawPointer(value.base))
        } else {
            output.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
        try copy.run(buffers, workers)
    }
}

extension Pad {
    /// Numbers of zeros before each axis, then after each; nil when something else is added, or unknown.
    func zeros(_ inputs: [TensorDescription?]) -> [Int]? {
        guard mode == .constant, let numbers = try? pads(inputs) else { return nil }
        if inputs.count > 2, let value = inputs[2] {
            guard value.constant?.floats?.first == 0 else { return nil }
        }
        return numbers.before + numbers.after
    }
}
