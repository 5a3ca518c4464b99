/// Checks an index that came as data, and counts it from the front.
@inline(__always)
func resolvedIndex(_ index: Int, _ size: Int, _ name: @autoclosure () -> String) throws -> Int {
    let resolved = index < 0 ? index &+ size : index
    guard resolved >= 0, resolved < size else {
        throw ModelError.invalid("\(name()): index \(index) of an axis of size \(size)")
    }
    return resolved
}

extension TensorView {
    /// The element of a tensor of indices.
    @inline(__always)
    func index(at position: Int) -> Int {
        type == .int64
            ? Int(base.assumingMemoryBound(to: Int64.self)[position])
            : Int(base.assumingMemoryBound(to: Int32.self)[position])
    }
}

extension Gather: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let indices = try required(inputs, 1)
        let axis = try data.shape.resolvedAxis(axis)
        guard outputs[0].elementCount > 0 else { return }
        let batches = Shape(data.shape[..<batchDimensions]).elementCount
        let outer = Shape(data.shape[batchDimensions..<axis]).elementCount
        let size = data.shape[axis]
        let bytes = Shape(data.shape[(axis + 1)...]).elementCount * data.type.size
        let count = indices.elementCount / max(batches, 1)
        var target = outputs[0].base
        for batch in 0..<batches {
            for row in 0..<outer {
                let source = data.base + (batch * outer + row) * size * bytes
                for position in 0..<count {
                    let index = try resolvedIndex(indices.index(at: batch * count + position), size, name)
                    copyBytes(bytes, from: source + index * bytes, to: target)
                    target += bytes
                }
            }
        }
    }
}

extension GatherElements: MovingOperator {
    func move<Word: ElementWord>(_ word: Word.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let indices = try required(inputs, 1)
        let axis = try data.shape.resolvedAxis(axis)
        let (source, target) = (data.words(Word.self), outputs[0].words(Word.self))
        try forEachElement(of: indices, in: data.shape, axis: axis, name) { position, slot in
            target[position] = source[slot]
        }
    }
}

/// Calls `body` with the number of every index and the offset in data that it stands for.
@inline(__always)
func forEachElement(
    of indices: TensorView, in data: Shape, axis: Int, _ name: String, _ body: (_ position: Int, _ slot: Int) -> Void
) throws {
    let shape = indices.shape
    var strides = data.rowMajorStrides
    let axisStride = strides[axis]
    strides[axis] = 0
    let rows = StridedRows(shape, [shape.rowMajorStrides, strides])
    let (size, step, count) = (data[axis], rows.steps[1], rows.count)
    try rows.forEach { offsets in
        for index in 0..<count {
            let position = offsets[0] + index
            let along = try resolvedIndex(indices.index(at: position), size, name)
            body(position, offsets[1] + index * step + along * axisStride)
        }
    }
}

extension GatherND: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let indices = try required(inputs, 1)
        let shared = batchDimensions
        guard outputs[0].elementCount > 0, let depth = indices.shape.last else { return }
        let inner = Array(data.shape[shared...])
        let strides = inner.rowMajorStrides
        let bytes = Shape(inner[depth...]).elementCount * data.type.size
        let batches = Shape(data.shape[..<shared]).elementCount
        let batchBytes = inner.elementCount * data.type.size
        let count = Shape(indices.shape.dropLast()).elementCount / max(batches, 1)
        for item in 0..<count * batches {
            var offset = 0
            for axis in 0..<depth {
                offset +=
                    try resolvedIndex(indices.index(at: item * depth + axis), inner[axis], name) * strides[axis]
            }
            copyBytes(
                bytes, from: data.base + item / count * batchBytes + offset * data.type.size,
                to: outputs[0].base + item * bytes)
        }
    }
}
