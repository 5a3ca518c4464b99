extension ONNXLowering {
    /// The window that a node's attributes describe, over an input with these spatial sizes.
    ///
    /// - Parameter roundsUp: `ceil_mode`.
    func window(kernel: [Int], over sizes: [Int], roundsUp: Bool = false) throws -> SpatialWindow {
        let rank = sizes.count
        let strides = ints("strides") ?? sizes.map { _ in 1 }
        let dilations = ints("dilations") ?? sizes.map { _ in 1 }
        var pads = ints("pads") ?? [Int](repeating: 0, count: 2 * rank)
        let limit = 1 << 24
        let numbers = kernel + strides + dilations
        try require(
            kernel.count == rank && strides.count == rank && dilations.count == rank && pads.count == 2 * rank
                && numbers.allSatisfy { 1...limit ~= $0 } && pads.allSatisfy { -limit...limit ~= $0 }
                && sizes.allSatisfy { 0...limit ~= $0 },
            "kernel \(kernel), strides \(strides), dilations \(dilations), pads \(pads) over \(sizes)")
        var output: [Int] = []
        let mode = string("auto_pad", "NOTSET")
        for axis in 0..<rank {
            let reach = (kernel[axis] - 1) * dilations[axis] + 1
            switch mode {
            case "SAME_UPPER", "SAME_LOWER":
                let size = (sizes[axis] + strides[axis] - 1) / strides[axis]
                let total = max((size - 1) * strides[axis] + reach - sizes[axis], 0)
                let smaller = total / 2
                pads[axis] = mode == "SAME_UPPER" ? smaller : total - smaller
                pads[axis + rank] = total - pads[axis]
                output.append(size)
            case "NOTSET", "VALID":
                if mode == "VALID" { (pads[axis], pads[axis + rank]) = (0, 0) }
                let room = sizes[axis] + pads[axis] + pads[axis + rank] - reach
                try require(room >= 0, "a kernel that reaches over \(reach) does not fit in \(sizes[axis])")
                var size = room / strides[axis] + 1
                if roundsUp, room % strides[axis] != 0,
                    // A window that would begin in the padding after the end does not count.
                    size * strides[axis] < sizes[axis] + pads[axis]
                {
                    size += 1
                }
                output.append(size)
            default: throw invalid("auto_pad “\(mode)”")
            }
        }
        return SpatialWindow(
            kernel: kernel, strides: strides, dilations: dilations, before: Array(pads[..<rank]),
            after: Array(pads[rank...]), output: output)
    }

    /// The spatial sizes of (N, C, axis, …).
    func spatialSizes(_ value: Value) throws -> [Int] {
        let shape = try shape(value)
        try require(shape.count >= 3, "a window over \(shape)")
        return Array(shape[2...])
    }

    /// Runs `body` on a value with its channels last, and puts them back to the second place.
    func asPicture(_ value: Value, _ body: (Value) throws -> Value) throws -> Value {
        try transpose(body(transpose(value, [0, 2, 3, 1])), [0, 3, 1, 2])
    }
}

extension SpatialWindow {
    /// The window of a picture; one spatial axis becomes a picture with one row. nil for more than two.
    var pictureGeometry: WindowGeometry? {
        guard rank <= 2 else { return nil }
        let isRow = rank == 1
        let x = rank - 1
        return WindowGeometry(
            kernelHeight: isRow ? 1 : kernel[0], kernelWidth: kernel[x], strideY: isRow ? 1 : strides[0],
            strideX: strides[x], dilationY: isRow ? 1 : dilations[0], dilationX: dilations[x],
            padding: .explicit(
                top: isRow ? 0 : before[0], left: before[x], bottom: isRow ? 0 : after[0], right: after[x]))
    }

    /// The same window with as much padding after the last element as the last window reaches: for pooling that does
    /// not look at the padding.
    func reachingTheEnd(of input: [Int]) -> SpatialWindow {
        var result = self
        for axis in 0..<rank {
            result.after[axis] = (output[axis] - 1) * strides[axis] + reach(axis) - input[axis] - before[axis]
        }
        return result
    }
}
