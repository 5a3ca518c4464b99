/// What importers build when the shapes of all values are known.
extension GraphBuilder where Sink == ShapedGraph {
    /// The type and shape of a value.
    ///
    /// - Throws: `ExpansionPostponed` where they depend on data.
    func describe(_ value: Value) throws -> TensorDescription {
        guard let description = try graph.known(value) else { throw ExpansionPostponed() }
        return description
    }

    func shape(_ value: Value) throws -> Shape { try describe(value).shape }
    func type(_ value: Value) throws -> ElementType { try describe(value).type }
    func rank(_ value: Value) throws -> Int { try describe(value).shape.count }

    /// A scalar of the type that another value has.
    func scalar(_ number: Double, like value: Value) throws -> Value { try scalar(number, try type(value)) }

    /// A product of matrices; half precision is multiplied in 32 bits.
    func matMul(_ a: Value, _ b: Value, transposesRight: Bool = false) throws -> Value {
        let type = try type(a)
        switch type {
        case .float32: return try add(MatMul(transposesRight: transposesRight), [a, b])
        case .float16, .bfloat16:
            let product = try add(
                MatMul(transposesRight: transposesRight), [cast(a, .float32), cast(b, .float32)])
            return try cast(product, type)
        default:
            var right = b
            if transposesRight {
                let rank = try rank(b)
                right = try transpose(b, Array(0..<rank - 2) + [rank - 1, rank - 2])
            }
            return try add(GeneralMatMul(), [a, right])
        }
    }

    // MARK: Windows over (N, C, axis, …)

    /// Runs `body` on an image in 32-bit floats (N, C, H, W), which a row (N, C, W) becomes for it.
    private func asImage(_ value: Value, _ body: (Value) throws -> Value) throws -> Value {
        let shape = try shape(value)
        guard shape.count == 3 else { return try channelsLast(value, body) }
        let result = try channelsLast(reshape(value, [shape[0], shape[1], 1, shape[2]]), body)
        let wide = try self.shape(result)
        return try reshape(result, [wide[0], wide[1], wide[3]])
    }

    /// Weights of a window over a row as those of one over images.
    private func imageWeights(_ weights: Value) throws -> Value {
        let shape = try shape(weights)
        let wide = try cast(weights, .float32)
        return shape.count == 3 ? try reshape(wide, [shape[0], shape[1], 1, shape[2]]) : wide
    }

    /// - Parameter weights: (M, C / groups, axis, …).
    func convolution(
        _ input: Value, _ weights: Value, _ bias: Value?, _ window: SpatialWindow, groups: Int
    ) throws -> Value {
        let type = try type(input)
        guard let geometry = window.imageGeometry, type != .float64 else {
            return try add(WindowConvolution(window: window, groups: groups), [input, weights, bias])
        }
        let (shape, weightShape) = (try shape(input), try shape(weights))
        guard weightShape.count == shape.count else {
            throw ModelError.invalid("weights of shape \(weightShape) for \(shape)")
        }
        let (factors, summand) = (try imageWeights(weights), try bias.map { try cast($0, .float32) })
        let operation = Convolution(geometry: geometry, groups: groups, order: .oihw)
        return try cast(asImage(cast(input, .float32)) { try add(operation, [$0, factors, summand]) }, type)
    }

    /// - Parameters:
    ///   - weights: (C, M / groups, axis, …).
    ///   - window: that of the convolution from the result back to the input.
    ///   - result: the spatial sizes of the result.
    func transposedConvolution(
        _ input: Value, _ weights: Value, _ bias: Value?, _ window: SpatialWindow, groups: Int, result: [Int]
    ) throws -> Value {
        let type = try type(input)
        guard type != .float64, let geometry = window.imageGeometry else {
            let operation = WindowTransposedConvolution(window: window, groups: groups, result: result)
            return try add(operation, [input, weights, bias])
        }
        let isRow = window.rank == 1
        let operation = TransposedConvolution(
            kernelHeight: geometry.kernelHeight, kernelWidth: geometry.kernelWidth, strideY: geometry.strideY,
            strideX: geometry.strideX, dilationY: geometry.dilationY, dilationX: geometry.dilationX,
            cropTop: isRow ? 0 : window.before[0], cropLeft: window.before[window.rank - 1],
            outputHeight: isRow ? 1 : result[0], outputWidth: result[window.rank - 1], groups: groups, order: .iohw)
        let (factors, summand) = (try imageWeights(weights), try bias.map { try cast($0, .float32) })
        return try cast(asImage(cast(input, .float32)) { try add(operation, [$0, factors, summand]) }, type)
    }

    /// - Parameters:
    ///   - image: as the kernels for images of floats do it; nil where they do not.
    ///   - outputs: 2 with the indices of the largest elements.
    func pool(
        _ input: Value, _ image: Pool.Kind?, _ kind: WindowPool.Kind, _ window: SpatialWindow, outputs: Int = 1
    ) throws -> [Value] {
        let sizes = Array(try shape(input).dropFirst(2))
        let reaching = window.reachingTheEnd(of: sizes)
        let isExact = kind != .average(countsPadding: true)
        let window = isExact ? reaching : window
        guard let image, outputs == 1, try type(input) == .float32, let geometry = window.imageGeometry,
            // Where windows reach beyond the padding, what they count is not what the kernels count.
            isExact || zip(reaching.after, window.after).allSatisfy({ $0 <= $1 })
        else { return try add(WindowPool(kind: kind, window: window), [input], outputs: outputs) }
        return [try asImage(input) { try add(Pool(kind: image, geometry: geometry), [$0]) }]
    }
}
