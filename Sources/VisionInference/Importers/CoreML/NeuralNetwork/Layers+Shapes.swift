extension NeuralNetworkLayerDefinition {
    static let shapes: [String: NeuralNetworkLayerDefinition] = [
        "reshape": .init { layer in try layer.reshapedImage() },
        "flatten": .init { layer in
            let value = try layer.inChannelOrder(layer.input(), isLast: layer.int(1) == 1)
            let shape = try layer.shape(value)
            try layer.require(shape.count >= 3, "an input of shape \(shape)")
            let lead = Array(shape.dropLast(3))
            return try layer.reshape(value, lead + [Array(shape.suffix(3)).elementCount, 1, 1])
        },
        "permute": .init { layer in try layer.permutedImage() },
        "concat": .init { layer in
            try layer.require(!layer.inputs.isEmpty, "nothing to be joined")
            // A sequence has an axis even where it is of one element.
            if try layer.bool(100) {
                let values = try layer.inputs.map { try layer.withSequence($0) }
                let rank = try layer.rank(layer.input())
                try layer.require(!layer.hasExactRanks || rank >= 5, "an input with \(rank) axes")
                let axis = try layer.axes(values[0], fromEnd: [-5])[0]
                return try layer.withoutSequence(layer.concat(values, axis: axis))
            }
            let values = try layer.sameRanks(layer.inputs)
            return try layer.concat(values, axis: layer.axes(values[0], fromEnd: [-3])[0])
        },
        "concatND": .init { layer in
            // Values without axes are vectors of one element here.
            let inputs = try layer.inputs.map { try layer.rank($0) == 0 ? layer.reshape($0, [1]) : $0 }
            guard let first = inputs.first else { throw ModelError.invalid("nothing to be joined") }
            var shape = try layer.shape(first)
            let axis = try shape.resolvedAxis(layer.int(1))
            guard try layer.bool(2) else { return try layer.concat(inputs, axis: axis) }
            let stacked = try layer.stack(inputs, axis: axis + 1)
            shape[axis] = -1
            return try layer.reshape(stacked, shape)
        },
        "stack": .init { layer in
            let shape = try layer.shape(layer.input())
            let axis = try (shape + [1]).resolvedAxis(layer.int(1))
            return try layer.stack(layer.inputs, axis: axis)
        },
        "split": .init(lower: { layer in
            let input = try layer.input()
            let axis = try layer.axes(input, fromEnd: [-3])[0]
            return try layer.add(Split(axis: axis, outputs: layer.outputCount), [input], outputs: layer.outputCount)
        }),
        "splitND": .init(lower: { layer in
            let sizes = try layer.ints(3)
            let input = try layer.input()
            let operation = Split(axis: try layer.int(1), outputs: layer.outputCount)
            let listed = sizes.isEmpty ? [] : [try layer.constant(sizes)]
            return try layer.add(operation, [input] + listed, outputs: layer.outputCount)
        }),
        "slice": .init { layer in
            let input = try layer.input()
            let axis = try layer.int(4)
            try layer.require((0...2).contains(axis), "the axis \(axis)")
            return try layer.slice(
                input, from: [layer.int(1)], to: [layer.int(2)], axes: layer.axes(input, fromEnd: [axis - 3]),
                steps: [max(layer.int(3), 1)])
        },
        "sliceStatic": .init { layer in
            let lists = [try layer.ints(1), try layer.ints(3), try layer.ints(5)]
            let (begins, ends) = (try layer.bools(2), try layer.bools(4))
            let rank = try layer.rank(layer.input())
            let squeezed = try layer.bools(6)
            try layer.require(
                lists.allSatisfy { $0.count == rank } && begins.count == rank && ends.count == rank
                    && (squeezed.isEmpty || squeezed.count == rank), "bounds of other than \(rank) axes")
            return try layer.sliced(
                layer.input(),
                (0..<rank).map { axis in
                    CoreMLBuilder.SliceBounds(
                        begin: begins[axis] ? nil : lists[0][axis], end: ends[axis] ? nil : lists[1][axis],
                        step: lists[2][axis], isSqueezed: !squeezed.isEmpty && squeezed[axis])
                })
        },
        "transpose": .init { layer in
            let axes = try layer.ints(1)
            try layer.require(axes.isPermutation(ofRank: layer.rank(layer.input())), "the axes \(axes)")
            return try layer.transpose(layer.input(), axes)
        },
        "squeeze": .init { layer in
            let input = try layer.input()
            let shape = try layer.shape(input)
            let axes = try layer.bool(2) ? shape.indices.filter { shape[$0] == 1 } : layer.ints(1)
            return try layer.squeeze(input, axes: axes)
        },
        "expandDims": .init { layer in
            try layer.unsqueeze(layer.input(), axes: layer.ints(1))
        },
        "flattenTo2D": .init { layer in
            let shape = try layer.shape(layer.input())
            let axis = try layer.int(1)
            let split = axis < 0 ? axis + shape.count : axis
            try layer.require((0...shape.count).contains(split), "axis \(axis) of shape \(shape)")
            return try layer.add(Flatten(axis: split), [layer.input()])
        },
        "reshapeStatic": .init { layer in try layer.reshape(layer.input(), layer.ints(1)) },
        "rankPreservingReshape": .init { layer in
            let shape = try layer.shape(layer.input())
            let wanted = try layer.ints(1)
            try layer.require(wanted.count == shape.count, "a shape of \(wanted.count) sizes for \(shape)")
            return try layer.reshape(layer.input(), zip(wanted, shape).map { $0 == 0 ? $1 : $0 })
        },
        "reshapeLike": .init { layer in try layer.reshape(layer.input(), layer.shape(layer.input(1))) },
        "reshapeDynamic": .init { layer in try layer.reshape(layer.input(), layer.constantInts(1)) },
        "getShape": .init { layer in
            layer.constant(try Tensor(layer.shape(layer.input()).map { Float($0) }))
        },
        "broadcastToStatic": .init { layer in try layer.broadcast(layer.input(), to: layer.ints(1)) },
        "broadcastToLike": .init { layer in try layer.broadcast(layer.input(), to: layer.shape(layer.input(1))) },
        "broadcastToDynamic": .init { layer in try layer.broadcast(layer.input(), to: layer.constantInts(1)) },
        "tile": .init { layer in
            let repeats = try layer.inputs.count > 1 ? layer.constantInts(1) : layer.ints(1)
            return try layer.add(Tile(), [layer.input(), layer.constant(repeats)])
        },
        "sequenceRepeat": .init { layer in
            let value = try layer.withSequence(layer.input())
            var repeats = [Int](repeating: 1, count: try layer.rank(value))
            repeats[try layer.axes(value, fromEnd: [-5])[0]] = max(try layer.int(1), 1)
            return try layer.withoutSequence(layer.add(Tile(), [value, layer.constant(repeats)]))
        },
        "constantPad": .init(notes: "the output's size as a parameter only without a second input") { layer in
            let input = try layer.input()
            let shape = try layer.shape(input)
            let amounts = try layer.inputs.count > 1 ? layer.constantInts(1) : layer.ints(2)
            try layer.require(amounts.count == 2 * shape.count, "\(amounts.count) amounts for \(shape)")
            let limit = 1 << 31
            try layer.require(amounts.allSatisfy { (0...limit).contains($0) }, "amounts \(amounts)")
            var before = shape.indices.map { amounts[2 * $0] }
            var after = shape.indices.map { amounts[2 * $0 + 1] }
            if try layer.bool(3) {
                for axis in shape.indices {
                    before[axis] = before[axis] > 0 ? max(before[axis] - shape[axis], 0) : 0
                    after[axis] = after[axis] > 0 ? max(after[axis] - shape[axis], 0) : 0
                }
            }
            return try layer.pad(
                input, before: before, after: after, value: layer.scalar(Double(layer.float(1)), .float32))
        },
    ]
}

extension NeuralNetworkLowering {
    fileprivate func broadcast(_ value: Value, to shape: [Int]) throws -> Value {
        try require(shape.allSatisfy { $0 >= 0 }, "the shape \(shape)")
        return try expand(value, to: shape)
    }

    /// Whole numbers of an input that does not depend on the network's inputs.
    func constantInts(_ index: Int) throws -> [Int] { try wholeNumbers(input(index)) }

    /// (…, C, H, W), or with `isLast` (…, H, W, C).
    fileprivate func inChannelOrder(_ value: Value, isLast: Bool) throws -> Value {
        let rank = try rank(value)
        try require(rank >= 3, "an input with \(rank) axes")
        return isLast ? try transpose(value, Array(0..<rank - 3) + [rank - 2, rank - 1, rank - 3]) : value
    }

    fileprivate func reshapedImage() throws -> Value {
        let target = try ints(1)
        try require(target.count == 3 || target.count == 4, "a shape of \(target.count) sizes")
        let isLast = try int(2) == 1
        let value = try withSequence(inChannelOrder(input(), isLast: isLast))
        let shape = try shape(value)
        try require(shape.count == 4 || shape.count == 5, "an input of shape \(shape)")
        var inner = Array(target.suffix(3))
        if isLast { inner = [inner[1], inner[2], inner[0]] }
        // A sequence's length changes only where the target states it.
        var lead = Array(shape.dropLast(3))
        if target.count == 4 { lead = [target[0]] + lead.dropFirst() }
        var result = try reshape(value, lead + inner)
        if isLast {
            let rank = try rank(result)
            result = try transpose(result, Array(0..<rank - 3) + [rank - 1, rank - 3, rank - 2])
        }
        return try withoutSequence(result)
    }

    fileprivate func permutedImage() throws -> Value {
        let axes = try ints(1)
        if axes.isEmpty { return try input() }
        try require(axes.isPermutation(ofRank: 4), "the axes \(axes)")
        let value = try withSequence(input())
        let rank = try rank(value)
        if rank == 4 { return try transpose(value, axes) }
        try require(rank == 5, "an input with \(rank) axes")
        // The batch keeps its position.
        let positions = axes.map { $0 == 0 ? 0 : $0 + 1 }
        let permutation = [positions[0], 1] + positions.dropFirst()
        return try withoutSequence(transpose(value, permutation))
    }
}
