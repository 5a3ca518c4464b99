/// Adds up overlapping blocks to a picture: the opposite of cutting one into blocks. Inputs: the blocks (N, C · elements of
/// a block, blocks), the sizes of the picture, the sizes of a block.
package struct Col2Im: FloatOperator {
    package var dilations: [Int]?
    /// Before each axis, then behind each.
    package var pads: [Int]?
    package var strides: [Int]?

    package init(dilations: [Int]? = nil, pads: [Int]? = nil, strides: [Int]? = nil) {
        self.dilations = dilations
        self.pads = pads
        self.strides = strides
    }

    package var name: String { "Col2Im" }

    private struct Layout {
        var picture: Shape
        var block: Shape
        var counts: Shape
        var dilations: [Int]
        var before: [Int]
        var strides: [Int]
    }

    private func layout(_ picture: [Int], _ block: [Int]) throws -> Layout {
        let axes = picture.count
        let dilations = dilations ?? [Int](repeating: 1, count: axes)
        let strides = strides ?? [Int](repeating: 1, count: axes)
        let pads = pads ?? [Int](repeating: 0, count: 2 * axes)
        try check(
            (1...8).contains(axes) && block.count == axes && dilations.count == axes && strides.count == axes
                && pads.count == 2 * axes, "picture \(picture), block \(block)")
        let limit = 1...1 << 20
        try check(
            (picture + block + dilations + strides).allSatisfy { limit.contains($0) }
                && pads.allSatisfy { (0...1 << 20).contains($0) }, "picture \(picture), block \(block)")
        let counts = try (0..<axes).map { axis in
            let room = picture[axis] + pads[axis] + pads[axes + axis] - dilations[axis] * (block[axis] - 1) - 1
            try check(room >= 0, "picture \(picture) is smaller than block \(block)")
            return room / strides[axis] + 1
        }
        return Layout(
            picture: picture, block: block, counts: counts, dilations: dilations, before: Array(pads[..<axes]),
            strides: strides)
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        guard case .values(let picture) = try integers(inputs, 1), case .values(let block) = try integers(inputs, 2)
        else {
            try check(isPresent(inputs, 1) && isPresent(inputs, 2), "sizes are missing")
            return .dependsOnData
        }
        let layout = try layout(picture, block)
        let elements = try layout.block.checkedElementCount(.int8)
        try check(
            input.shape.count == 3 && input.shape[1] % elements == 0
                && (try layout.counts.checkedElementCount(.int8)) == input.shape[2],
            "blocks of shape \(input.shape) for picture \(picture), block \(block)")
        let shape = [input.shape[0], input.shape[1] / elements] + picture
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let layout = try layout(integers(inputs, 1) ?? [], integers(inputs, 2) ?? [])
        let axes = layout.picture.count
        let plane = layout.picture.elementCount
        let (elements, blocks) = (layout.block.elementCount, layout.counts.elementCount)
        let (blockSteps, countSteps) = (layout.block.rowMajorStrides, layout.counts.rowMajorStrides)
        let pictureSteps = layout.picture.rowMajorStrides
        let (source, target) = (input.pointer(T.self), outputs[0].pointer(T.self))
        var sums = [Double](repeating: 0, count: plane)
        for channel in 0..<outputs[0].shape[0] * outputs[0].shape[1] {
            for index in sums.indices { sums[index] = 0 }
            for element in 0..<elements {
                for block in 0..<blocks {
                    var offset = 0
                    for axis in 0..<axes {
                        let place =
                            block / countSteps[axis] % layout.counts[axis] * layout.strides[axis]
                            + element / blockSteps[axis] % layout.block[axis] * layout.dilations[axis]
                            - layout.before[axis]
                        guard place >= 0, place < layout.picture[axis] else {
                            offset = -1
                            break
                        }
                        offset += place * pictureSteps[axis]
                    }
                    if offset >= 0 { sums[offset] += source[(channel * elements + element) * blocks + block].double }
                }
            }
            for index in sums.indices { target[channel * plane + index] = T(double: sums[index]) }
        }
    }
}
