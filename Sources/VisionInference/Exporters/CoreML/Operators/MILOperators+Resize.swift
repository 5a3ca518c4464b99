extension ResizeImage {
    /// Writes the operator on an image with channels first.
    func writeImage(_ node: MILNode) throws {
        let x = try node.input(0)
        let sizes = Array(x.shape.suffix(2))
        if sizes == [height, width], coordinates != .alignedCorners, scaleY ?? 1 == 1, scaleX ?? 1 == 1 {
            return node.finish(x)
        }
        switch filter {
        case .bilinear:
            guard let mode = samplingMode(sizes) else {
                throw ModelError.unsupported("ML programs cannot resize \(sizes) to \([height, width]) in this way")
            }
            node.finish(
                try node.add(
                    "resize_bilinear",
                    [
                        "x": .value(x), "target_size_height": .int(height), "target_size_width": .int(width),
                        "sampling_mode": .text(mode),
                    ], node.outputShape))
        case .nearest: node.finish(try nearest(node, x, sizes))
        }
    }

    /// How the operation `resize_bilinear` calls the positions that are sampled.
    private func samplingMode(_ sizes: [Int]) -> String? {
        let stated = [(scaleY, sizes[0], height), (scaleX, sizes[1], width)]
        // Programs compute scales from sizes.
        let isExact = stated.allSatisfy { scale, from, to in
            scale.map { abs($0 * Double(from) - Double(to)) < 1e-6 * Double(to) } ?? true
        }
        switch coordinates {
        case .alignedCorners: return "STRICT_ALIGN_CORNERS"
        case .asymmetric: return isExact ? "DEFAULT" : nil
        case .halfPixel: return isExact ? "UNALIGN_CORNERS" : nil
        case .halfPixelOrOne:
            let isHalfPixel = height > 1 && width > 1 || sizes == [1, 1]
            return isExact && isHalfPixel ? "UNALIGN_CORNERS" : nil
        }
    }

    /// The nearest pixels: those that the operation takes, or those at listed positions.
    private func nearest(_ node: MILNode, _ x: MILReference, _ sizes: [Int]) throws -> MILReference {
        let rows = try positions(node, from: sizes[0], to: height, isRow: true)
        let columns = try positions(node, from: sizes[1], to: width, isRow: false)
        func isUsual(_ positions: [Int], _ from: Int) -> Bool {
            positions.indices.allSatisfy { positions[$0] == $0 * from / positions.count }
        }
        if isUsual(rows, sizes[0]), isUsual(columns, sizes[1]) {
            return try node.add(
                "resize_nearest_neighbor",
                ["x": .value(x), "target_size_height": .int(height), "target_size_width": .int(width)],
                node.outputShape)
        }
        var result = x
        for (axis, positions) in [(2, rows), (3, columns)] where positions != Array(0..<result.shape[axis]) {
            let indices = try node.constant(Tensor(positions.map { Int64($0) }), "positions")
            var shape = result.shape
            shape[axis] = positions.count
            result = try node.add(
                "gather",
                ["x": .value(result), "indices": .value(indices), "axis": .int(axis), "batch_dims": .int(0)], shape)
        }
        return result
    }

    /// Which row or column each one of the result is: what becomes of an image of its own positions.
    private func positions(_ node: MILNode, from: Int, to: Int, isRow: Bool) throws -> [Int] {
        let ramp = try Tensor((0..<from).map { Float($0) }, shape: isRow ? [1, from, 1, 1] : [1, 1, from, 1])
        var operation = self
        operation.height = isRow ? to : 1
        operation.width = isRow ? 1 : to
        if isRow { operation.scaleX = nil } else { operation.scaleY = nil }
        return try (node.evaluate(operation, [ramp]).floats ?? []).map { Int($0) }
    }
}

extension Resize: MILOperator {
    /// Every axis by itself: the result is a product with a matrix of the weights of the elements.
    func write(_ node: MILNode) throws {
        guard coordinates != .tfCropAndResize, let plan = try plan(node.inputs) else {
            throw ModelError.unsupported("the sizes or the region of interest are computed")
        }
        var result = try node.input(0)
        guard result.element != .int32 else { throw ModelError.unsupported("it resizes whole numbers") }
        let rank = result.shape.count
        for axis in 0..<rank where plan.shape[axis] != result.shape[axis] || plan.scales[axis] != 1 {
            let size = result.shape[axis]
            guard size <= 1 << 12, plan.shape[axis] <= 1 << 12 else {
                throw ModelError.unsupported("it resizes an axis of \(size) to \(plan.shape[axis])")
            }
            var single = self
            single.axes = [0]
            single.order = AxisOrder()
            single.aspectPolicy = .stretch
            let identity = try Tensor(
                (0..<size * size).map { Float($0 / size == $0 % size ? 1 : 0) }, shape: [size, size])
            // The scale decides where it does not make the size.
            let isExact = abs(plan.scales[axis] * Double(size) - Double(plan.shape[axis])) < 1e-6
            let scales = isExact ? nil : try Tensor([Float(plan.scales[axis])])
            let sizes = isExact ? try Tensor([Int64(plan.shape[axis])]) : nil
            let weights = try node.evaluate(single, [identity, nil, scales, sizes])
            var order = Array(0..<rank)
            order.swapAt(axis, rank - 1)
            let last = try node.transpose(result, order)
            var shape = last.shape
            shape[rank - 1] = plan.shape[axis]
            let product = try node.add(
                "matmul",
                [
                    "x": .value(last), "y": .value(node.constant(weights, "weights")), "transpose_x": .bool(false),
                    "transpose_y": .bool(true),
                ], shape)
            result = try node.transpose(product, order)
        }
        node.finish(result)
    }
}
