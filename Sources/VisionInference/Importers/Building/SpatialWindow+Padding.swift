extension SpatialWindow {
    /// How the elements around the input are counted.
    enum Padding {
        /// Before the first element of every axis, then after the last.
        case explicit([Int])
        /// As many as make the output's size the input's over the stride, rounded up; the odd one at the end or the
        /// beginning.
        case sameUpper, sameLower
    }

    /// The window over an input with these spatial sizes.
    ///
    /// - Parameter roundsUp: sizes are rounded up where the stride does not divide them.
    init(
        kernel: [Int], strides: [Int], dilations: [Int], padding: Padding, over sizes: [Int], roundsUp: Bool = false
    ) throws {
        let rank = sizes.count
        var pads = [Int](repeating: 0, count: 2 * rank)
        if case .explicit(let given) = padding { pads = given }
        let limit = 1 << 24
        guard kernel.count == rank, strides.count == rank, dilations.count == rank, pads.count == 2 * rank,
            (kernel + strides + dilations).allSatisfy({ 1...limit ~= $0 }),
            pads.allSatisfy({ -limit...limit ~= $0 }), sizes.allSatisfy({ 0...limit ~= $0 })
        else {
            throw ModelError.invalid(
                "kernel \(kernel), strides \(strides), dilations \(dilations), pads \(pads) over \(sizes)")
        }
        var output: [Int] = []
        for axis in 0..<rank {
            let reach = (kernel[axis] - 1) * dilations[axis] + 1
            guard case .explicit = padding else {
                let size = (sizes[axis] + strides[axis] - 1) / strides[axis]
                let total = max((size - 1) * strides[axis] + reach - sizes[axis], 0)
                pads[axis] = padding.first(of: total)
                pads[axis + rank] = total - pads[axis]
                output.append(size)
                continue
            }
            let room = sizes[axis] + pads[axis] + pads[axis + rank] - reach
            guard room >= 0 else {
                throw ModelError.invalid("a kernel that reaches over \(reach) does not fit in \(sizes[axis])")
            }
            var size = room / strides[axis] + 1
            if roundsUp, room % strides[axis] != 0,
                // A window that would begin in the padding after the end does not count.
                size * strides[axis] < sizes[axis] + pads[axis]
            {
                size += 1
            }
            output.append(size)
        }
        self.init(
            kernel: kernel, strides: strides, dilations: dilations, before: Array(pads[..<rank]),
            after: Array(pads[rank...]), output: output)
    }

    /// The window over an image; one spatial axis becomes an image with one row. nil for more than two.
    var imageGeometry: WindowGeometry? {
        guard rank <= 2 else { return nil }
        let isRow = rank == 1
        let x = rank - 1
        return WindowGeometry(
            kernelHeight: isRow ? 1 : kernel[0], kernelWidth: kernel[x], strideY: isRow ? 1 : strides[0],
            strideX: strides[x], dilationY: isRow ? 1 : dilations[0], dilationX: dilations[x],
            padding: .explicit(
                top: isRow ? 0 : before[0], left: before[x], bottom: isRow ? 0 : after[0], right: after[x]))
    }

    /// The same window with as much padding after the last element as the last window reaches: for pooling that
    /// ignores the padding.
    func reachingTheEnd(of input: [Int]) -> SpatialWindow {
        var result = self
        for axis in 0..<rank {
            result.after[axis] = (output[axis] - 1) * strides[axis] + reach(axis) - input[axis] - before[axis]
        }
        return result
    }
}

extension SpatialWindow.Padding {
    /// How much of the padding is before the first element.
    func first(of total: Int) -> Int {
        if case .sameUpper = self { total / 2 } else { total - total / 2 }
    }
}
