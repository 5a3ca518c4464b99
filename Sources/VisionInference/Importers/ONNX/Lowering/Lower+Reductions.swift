extension ONNXDefinition {
    static let reductions: [String: ONNXDefinition] = [
        "ReduceSum": reduce(.sum), "ReduceMean": reduce(.mean), "ReduceMax": reduce(.max), "ReduceMin": reduce(.min),
        "ReduceProd": reduce(.prod), "ReduceL1": reduce(.l1), "ReduceL2": reduce(.l2),
        "ReduceSumSquare": reduce(.sumSquare), "ReduceLogSum": reduce(.logSum), "ReduceLogSumExp": reduce(.logSumExp),
        "ArgMax": ONNXDefinition(.numbers) { try argument($0, kind: .max) },
        "ArgMin": ONNXDefinition(.numbers) { try argument($0, kind: .min) },
        "Softmax": ONNXDefinition(.floats) { try alongAxis($0) { Softmax(axis: $0) } },
        "LogSoftmax": ONNXDefinition(.floats) { try alongAxis($0) { Softmax(axis: $0, isLogarithm: true) } },
        "Hardmax": ONNXDefinition(.floats) { try alongAxis($0) { Hardmax(axis: $0) } },
    ]

    private static func reduce(_ kind: Reduce.Kind) -> ONNXDefinition {
        ONNXDefinition(.numbers) { node in
            let axes = node.ints("axes")
            let operation = Reduce(
                kind: kind, axes: axes, keepsDimensions: node.flag("keepdims", true),
                noopWithEmptyAxes: node.flag("noop_with_empty_axes"))
            return [try node.add(operation, [node.input(0), axes == nil ? node.optional(1) : nil])]
        }
    }

    private static func argument(_ node: ONNXLowering, kind: ArgReduce.Kind) throws -> [Graph.ValueID] {
        let operation = ArgReduce(
            kind: kind, axis: node.int("axis", 0), keepsDimensions: node.flag("keepdims", true),
            selectsLast: node.flag("select_last_index"))
        return [try node.add(operation, [node.input(0)])]
    }

    /// Before operator set 13 everything from the axis on was one line, and the axis was 1 if not given.
    private static func alongAxis(
        _ node: ONNXLowering, _ make: (Int) -> any Operator
    ) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let shape = try node.shape(input)
        if node.opset >= 13 {
            return [try node.add(make(node.axis(input, node.int("axis", -1))), [input])]
        }
        let axis = node.int("axis", 1)
        let first = axis < 0 ? axis + shape.count : axis
        try node.require((0...shape.count).contains(first), "axis \(axis) of shape \(shape)")
        if first == shape.count - 1 { return [try node.add(make(first), [input])] }
        let matrix = try node.reshape(
            input, [shape[..<first].reduce(1, *), shape[first...].reduce(1, *)])
        return [try node.reshape(node.add(make(1), [matrix]), shape)]
    }
}
