extension SpatialWindow {
    /// Calls `body` with the offset of each element under the window at `position`, and its number within the window;
    /// what lies outside of the input is left out.
    @inline(__always)
    func forEach(
        _ position: [Int], input: [Int], strides steps: [Int], _ body: (_ offset: Int, _ tap: Int) -> Void
    ) {
        visit(0, 0, 0, position, input, steps, body)
    }

    private func visit(
        _ axis: Int, _ offset: Int, _ tap: Int, _ position: [Int], _ input: [Int], _ steps: [Int],
        _ body: (Int, Int) -> Void
    ) {
        guard axis < rank else { return body(offset, tap) }
        let start = position[axis] * strides[axis] - before[axis]
        for index in 0..<kernel[axis] {
            let slot = start + index * dilations[axis]
            guard slot >= 0, slot < input[axis] else { continue }
            visit(
                axis + 1, offset + slot * steps[axis], tap * kernel[axis] + index, position, input, steps, body)
        }
    }
}
