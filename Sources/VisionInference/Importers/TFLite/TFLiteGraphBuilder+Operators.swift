extension TFLiteGraphBuilder {
    /// Adds what does the work of an operator, and defines its outputs.
    func add(_ node: TFLiteNode) throws {
        guard let builtin = node.code.builtin else {
            guard node.code.isCustom, node.code.name == "Convolution2DTransposeBias" else {
                throw node.unsupported(node.code.isCustom ? "it is a custom operator" : "")
            }
            return try addTransposedConvolutionWithBias(node)
        }
        if try addElementwise(node, builtin) { return }
        if try addLayout(node, builtin) { return }
        switch builtin {
        case .conv2D: try addConvolution(node, depthwise: false)
        case .depthwiseConv2D: try addConvolution(node, depthwise: true)
        case .transposeConv: try addTransposedConvolution(node)
        case .maxPool2D: try addPool(node, average: false)
        case .averagePool2D: try addPool(node, average: true)
        case .resizeBilinear: try addResize(node, bilinear: true)
        case .resizeNearestNeighbor: try addResize(node, bilinear: false)
        case .spaceToDepth: try addSpaceAndDepth(node, toDepth: true)
        case .depthToSpace: try addSpaceAndDepth(node, toDepth: false)
        case .fullyConnected: try addFullyConnected(node)
        case .batchMatmul: try addMatrixProduct(node)
        case .softmax: try addSoftmax(node)
        case .logSoftmax:
            try finish(node, add(Softmax(isLogarithm: true), [try operand(node.input(0))]))
        case .l2Normalization: try addL2Normalization(node)
        case .mean: try addReduction(node, .mean)
        case .sum: try addReduction(node, .sum)
        case .reduceMax: try addReduction(node, .max)
        case .reduceMin: try addReduction(node, .min)
        case .reduceProd: try addReduction(node, .prod)
        case .reduceAny: try addReduction(node, .any)
        case .reduceAll: try addReduction(node, .all)
        case .argMax: try addArgument(node, largest: true)
        case .argMin: try addArgument(node, largest: false)
        // Constants are dense when they are read.
        case .densify: define(try node.output(), as: try value(node.input(0)))
        case .dequantize: define(try node.output(), as: try floatValue(node.input(0)))
        case .quantize: try finish(node, try operand(node.input(0)))
        default: throw node.unsupported("")
        }
    }

    // MARK: Ends of operators

    /// An input to compute with: floats where the tensor holds halves or scaled integers, else as it is.
    func operand(_ index: Int) throws -> Graph.ValueID {
        isScaled(index) || tensor(index).type == .float16 ? try floatValue(index) : try value(index)
    }

    /// Applies a fused activation, and the output's scale.
    func finish(
        _ node: TFLiteNode, _ value: Graph.ValueID, _ activation: TFLiteActivation = .none, output: Int = 0
    ) throws {
        var value = value
        let fused = try fusedActivation(activation, node)
        if !fused.isIdentity { value = try activated(value, by: fused) }
        let index = try node.output(output)
        if isScaled(index) { value = try addScaling(of: value, tensor(index)) }
        if graph.values.indices.contains(value), graph.values[value].constant == nil {
            graph.values[value].name = tensor(index).name
        }
        define(index, as: value)
    }

    func fusedActivation(_ activation: TFLiteActivation, _ node: TFLiteNode) throws -> Activation {
        switch activation {
        case .none: Activation(.identity)
        case .relu: .relu
        case .relu6: .relu6
        case .reluN1To1: Activation(.clamp(low: -1, high: 1))
        case .tanh: Activation(.tanh)
        case .signBit: throw node.unsupported("the activation is the sign's bit")
        }
    }

    func addCast(_ node: TFLiteNode, _ value: Graph.ValueID, to output: Int) throws {
        let type = try elementType(of: tensor(output))
        define(output, as: try add(Cast(to: type), [value]))
    }

    // MARK: Constants

    func constantIntegers(_ node: TFLiteNode, _ index: Int, _ what: String) throws -> [Int] {
        guard let integers = try integers(node.input(index)) else {
            throw node.unsupported("its \(what) is not a constant")
        }
        guard integers.count <= 4 * ModelLimits.rank else {
            throw ModelError.invalid("\(what) of \(integers.count) numbers")
        }
        return integers
    }
}
