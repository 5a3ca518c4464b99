extension ONNXDefinition {
    static let shapes: [String: ONNXDefinition] = [
        "Identity": ONNXDefinition(.any) { node in [try node.input(0)] },
        "Dropout": ONNXDefinition(.floats, notes: "only for inference", lower: dropout),
        "Shape": .direct(.any) { node in ShapeOf(start: node.int("start", 0), end: node.int("end")) },
        "Size": .direct(.any) { _ in Size() },
        "ConstantOfShape": ONNXDefinition(.any) { node in
            let value = try node.tensor("value") ?? Tensor([Float(0)])
            try node.require(value.elementCount == 1, "the value has \(value.elementCount) elements")
            return [try node.add(ConstantOfShape(value: value.reshaped([])), [node.input(0)])]
        },
        "Reshape": ONNXDefinition(.any) { node in
            let shape = try node.ints("shape").map { try node.constant($0) } ?? node.input(1)
            return [try node.add(Reshape(allowZero: node.flag("allowzero")), [node.input(0), shape])]
        },
        "Flatten": .direct(.any) { node in Flatten(axis: node.int("axis", 1)) },
        "Squeeze": ONNXDefinition(.any) { node in
            [try node.add(Squeeze(), [node.input(0), node.axesInput()])]
        },
        "Unsqueeze": ONNXDefinition(.any) { node in
            [try node.add(Unsqueeze(), [node.input(0), node.axesInput()])]
        },
        "Transpose": .direct(.any) { node in Transpose(permutation: node.ints("perm")) },
        "Concat": ONNXDefinition(.any) { node in
            [try node.add(Concat(axis: node.int("axis", 1)), node.allInputs)]
        },
        "Split": ONNXDefinition(.any) { node in
            let sizes = try node.ints("split").map { try node.constant($0) } ?? node.optional(1)
            let count = node.node.outputs.count
            let operation = Split(axis: node.int("axis", 0), outputs: node.int("num_outputs", count))
            return try node.add(operation, [node.input(0), sizes], outputs: count)
        },
        "Slice": ONNXDefinition(.any, lower: slice),
        "Expand": .direct(.any, inputs: 2) { _ in Expand() },
        "Tile": .direct(.any, since: 6, inputs: 2) { _ in Tile() },
        "Pad": ONNXDefinition(.any, since: 2, lower: pad),
        "CenterCropPad": ONNXDefinition(.any, lower: centerCropPad),
    ]

    @Sendable private static func dropout(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        if let isTraining = try node.constant(2)?.integers?.first, isTraining != 0 {
            let ratio = try node.constantFloats(1)?.first ?? 0.5
            if ratio != 0 { throw node.unsupported("training") }
        }
        let input = try node.input(0)
        guard node.wants(1) else { return [input] }
        return try node.add(Dropout(hasMask: true), [input], outputs: 2)
    }

    @Sendable private static func slice(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        guard node.opset < 10 else {
            return [try node.add(Slice(), [input] + (1..<max(node.inputCount, 3)).map { node.optional($0) })]
        }
        guard let starts = node.ints("starts"), let ends = node.ints("ends") else {
            throw node.invalid("no starts or ends")
        }
        let axes = try node.ints("axes").map { try node.constant($0) }
        return [try node.add(Slice(), [input, node.constant(starts), node.constant(ends), axes])]
    }

    @Sendable private static func pad(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let modes: [String: Pad.Mode] = ["constant": .constant, "reflect": .reflect, "edge": .edge, "wrap": .wrap]
        guard let mode = modes[node.string("mode", "constant")] else {
            throw node.unsupported("the mode \(node.string("mode", ""))")
        }
        let input = try node.input(0)
        guard node.opset < 11 else {
            return [try node.add(Pad(mode: mode), [input, node.input(1), node.optional(2), node.optional(3)])]
        }
        guard let pads = node.ints("pads") else { throw node.invalid("no pads") }
        let value = try node.scalar(Double(node.float("value", 0)), like: input)
        return [try node.add(Pad(mode: mode), [input, node.constant(pads), value])]
    }

    /// Pads or crops each axis to a size, as much before as after; the odd one is after.
    @Sendable private static func centerCropPad(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let shape = try node.shape(input)
        guard let sizes = try node.constantInts(1) else { throw node.invalid("no shape") }
        let axes = try (node.ints("axes") ?? Array(shape.indices)).map { try node.axis(input, $0) }
        try node.require(axes.count == sizes.count && sizes.allSatisfy { $0 >= 0 }, "the shape \(sizes)")
        var before = shape.map { _ in 0 }
        var after = before
        for (axis, size) in zip(axes, sizes) {
            let (change, overflow) = size.subtractingReportingOverflow(shape[axis])
            try node.require(!overflow, "the shape \(sizes)")
            // Both halves are rounded down: of what is cropped or added, the rest is at the end.
            before[axis] = change < 0 ? -(-change / 2) : change / 2
            after[axis] = change - before[axis]
        }
        return [try node.pad(input, before: before, after: after)]
    }
}

extension ONNXLowering {
    /// The axes, which are an attribute or the second input; nil when there are none.
    fileprivate func axesInput() throws -> Value? {
        if let axes = ints("axes") { return try constant(axes) }
        return optional(1)
    }
}
