extension NeuralNetworkLayerDefinition {
    static let indexing: [String: NeuralNetworkLayerDefinition] = [
        reductions, selections, constants,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    // MARK: Reductions

    private static let reductions: [String: NeuralNetworkLayerDefinition] = [
        "reduce": .init { layer in try layer.reducedImage() },
        "reduceL1": reduction(.l1), "reduceL2": reduction(.l2), "reduceMax": reduction(.max),
        "reduceMin": reduction(.min), "reduceSum": reduction(.sum), "reduceProd": reduction(.prod),
        "reduceMean": reduction(.mean), "reduceLogSum": reduction(.logSum),
        "reduceSumSquare": reduction(.sumSquare), "reduceLogSumExp": reduction(.logSumExp),
        "argMax": .init { layer in try layer.indexOfExtreme(.max) },
        "argMin": .init { layer in try layer.indexOfExtreme(.min) },
        "cumSum": .init { layer in
            let axis = try layer.constant([layer.wholeNumber(1, orField: 1)])
            let operation = CumSum(exclusive: try layer.bool(2), reverse: try layer.bool(3))
            return try layer.add(operation, [layer.input(), layer.reshape(axis, [])])
        },
    ]

    private static func reduction(_ kind: Reduce.Kind) -> NeuralNetworkLayerDefinition {
        .init { layer in
            let axes = try layer.bool(3) ? nil : layer.ints(1)
            try layer.require(axes?.isEmpty != true, "no axes")
            return try layer.reduce(kind, layer.input(), axes: axes, keepsDimensions: layer.bool(2))
        }
    }

    // MARK: Selections

    private static let selections: [String: NeuralNetworkLayerDefinition] = [
        "gather": .init { layer in
            let data = try layer.input(0)
            let axis = try layer.shape(data).resolvedAxis(layer.int(1))
            let size = try layer.shape(data)[axis]
            return try layer.add(Gather(axis: axis), [data, layer.indices(layer.input(1), countedFrom: size)])
        },
        "gatherND": .init { layer in
            try layer.add(GatherND(), [layer.input(0), layer.indices(layer.input(1))])
        },
        "gatherAlongAxis": .init { layer in
            let data = try layer.input(0)
            let axis = try layer.shape(data).resolvedAxis(layer.int(1))
            let size = try layer.shape(data)[axis]
            return try layer.add(
                GatherElements(axis: axis), [data, layer.indices(layer.input(1), countedFrom: size)])
        },
        "slidingWindows": .init { layer in
            try layer.slidingWindows(
                layer.input(), axis: layer.int(1), length: layer.int(2), step: max(layer.int(3), 1))
        },
        "topK": .init(lower: { layer in
            let operation = TopK(axis: try layer.int(1), largest: try !layer.bool(3))
            let count = try layer.constant([layer.wholeNumber(1, orField: 2)])
            let results = try layer.add(operation, [layer.input(), count], outputs: 2)
            return [results[0], try layer.floats(results[1])]
        }),
        "oneHot": .init { layer in
            let input = try layer.indices(layer.input())
            let size = try layer.wholeNumber(1, orField: 1)
            try layer.require((1...1 << 24).contains(size), "vectors of \(size) numbers")
            let rank = try layer.rank(input)
            let axis = try Shape(repeating: 1, count: rank + 1).resolvedAxis(layer.int(2))
            var shape = Shape(repeating: 1, count: rank + 1)
            shape[axis] = size
            let classes = layer.constant(try Tensor((0..<size).map { Int64($0) }, shape: shape))
            let isHot = try layer.binary(.equal, layer.unsqueeze(input, axes: [axis]), classes)
            let (on, off) = (try layer.float(3), try layer.float(4))
            let numbers = try [on, off].map { try layer.scalar(Double($0), .float32) }
            return try layer.add(Where(), [isHot] + numbers)
        },
        "reverse": .init { layer in
            let dimensions = try layer.bools(1)
            let input = try layer.input()
            try layer.require(try layer.rank(input) == dimensions.count, "\(dimensions.count) axes")
            return try layer.sliced(
                input, dimensions.map { CoreMLBuilder.SliceBounds(begin: nil, end: nil, step: $0 ? -1 : 1) })
        },
    ]

    // MARK: Constants

    private static let constants: [String: NeuralNetworkLayerDefinition] = [
        "loadConstant": .init { layer in
            let shape = try layer.ints(1)
            let value = try layer.weights(2, layer.imageShape(shape))
            return try layer.unsqueeze(value, axes: layer.hasExactRanks ? [0, 1] : [0])
        },
        "loadConstantND": .init { layer in try layer.weights(2, layer.ints(1)) },
        "fillStatic": .init { layer in try layer.filled(layer.ints(2)) },
        "fillLike": .init { layer in try layer.filled(layer.shape(layer.input())) },
        "fillDynamic": .init { layer in try layer.filled(layer.constantInts(0)) },
        "rangeStatic": .init { layer in
            let (end, start, step) = (try layer.float(1), try layer.float(2), try layer.float(3))
            let count = ((Double(end) - Double(start)) / Double(step)).rounded(.up)
            try layer.require(count.isFinite && (0...Double(1 << 24)).contains(count), "a range of \(count) numbers")
            return layer.constant(try Tensor((0..<Int(count)).map { start + Float($0) * step }))
        },
    ]
}

extension NeuralNetworkLowering {
    /// The number that an input has, or where there is no such input a parameter.
    fileprivate func wholeNumber(_ index: Int, orField field: Int) throws -> Int {
        guard inputs.count > index else { return try int(field) }
        guard let number = try constantInts(index).first else { throw ModelError.invalid("input \(index) is empty") }
        return number
    }

    fileprivate func filled(_ shape: [Int]) throws -> Value {
        try add(ConstantOfShape(value: Tensor([try float(1)])), [constant(shape)])
    }

    fileprivate func indexOfExtreme(_ kind: ArgReduce.Kind) throws -> Value {
        let operation = ArgReduce(kind: kind, axis: try int(1), keepsDimensions: try !bool(2))
        return try floats(add(operation, [input()]))
    }

    fileprivate func reducedImage() throws -> Value {
        let choices = [[-3, -2, -1], [-2, -1], [-3], [-2], [-1]]
        let (mode, choice) = (try int(1), try int(3))
        try require(choices.indices.contains(choice), "the axis \(choice)")
        let input = try input()
        let axes = try axes(input, fromEnd: choices[choice])
        let kinds: [Reduce.Kind] = [.sum, .mean, .prod, .sum, .sumSquare, .l1, .l2, .max, .min]
        switch mode {
        case 3:
            let logarithms = try unary(.log, affine(input, 1, float(2, orIfZero: 1e-6)))
            return try reduce(.sum, logarithms, axes: axes)
        case 9:
            try require(axes.count == 1, "the largest of several axes")
            return try floats(add(ArgReduce(kind: .max, axis: axes[0]), [input]))
        case kinds.indices: return try reduce(kinds[mode], input, axes: axes)
        default: throw ModelError.invalid("the mode \(mode)")
        }
    }
}
