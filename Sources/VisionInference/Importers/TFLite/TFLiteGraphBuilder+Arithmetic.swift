extension TFLiteGraphBuilder {
    /// Adds an operator of one element or two; false for one of another kind.
    func addElementwise(_ node: TFLiteNode, _ builtin: TFLiteBuiltin) throws -> Bool {
        if let kind = Self.unary[builtin] {
            try addUnary(node, UnaryOperation(kind: kind))
        } else if let kind = Self.binary[builtin] {
            try addBinary(node, kind)
        } else if let activation = Self.activations[builtin] {
            try addUnary(node, ActivationOperation(activation: activation))
        } else {
            switch (builtin, node.options) {
            case (.leakyRelu, let options):
                guard case .leakyRelu(let alpha) = options else { throw node.unsupported("it has no slope") }
                try addUnary(node, ActivationOperation(activation: Activation(.leaky(slope: alpha))))
            case (.gelu, .gelu(approximate: true)):
                try addUnary(node, ActivationOperation(activation: Activation(.geluTanh)))
            case (.gelu, _):
                try addUnary(node, ActivationOperation(activation: Activation(.gelu)))
            case (.logicalNot, _):
                try addUnary(node, UnaryOperation(kind: .not))
            case (.prelu, _):
                let inputs = [try operand(node.input(0)), try operand(node.input(1))]
                try finish(node, add(PRelu(), inputs))
            case (.addN, _):
                try finish(node, fold(.add, node.allInputs.map { try operand($0) }))
            case (.zerosLike, _):
                let input = try operand(node.input(0))
                try finish(node, add(BinaryOperation(kind: .sub), [input, input]))
            case (.select, _), (.selectV2, _):
                try addSelect(node, builtin)
            default: return false
            }
        }
        return true
    }

    private static let unary: [TFLiteBuiltin: UnaryOperation.Kind] = [
        .abs: .abs, .neg: .neg, .sign: .sign, .exp: .exp, .log: .log, .sqrt: .sqrt, .rsqrt: .reciprocalSqrt,
        .square: .square, .floor: .floor, .ceil: .ceil, .round: .round, .sin: .sin, .cos: .cos,
    ]

    private static let binary: [TFLiteBuiltin: BinaryOperation.Kind] = [
        .add: .add, .sub: .sub, .mul: .mul, .div: .div, .minimum: .min, .maximum: .max, .pow: .pow,
        .floorDiv: .floorDiv, .floorMod: .mod(fmod: false), .squaredDifference: .squaredDifference, .atan2: .atan2,
        .equal: .equal, .notEqual: .notEqual, .less: .less, .greater: .greater, .lessEqual: .lessOrEqual,
        .greaterEqual: .greaterOrEqual, .logicalAnd: .and, .logicalOr: .or,
    ]

    private static let activations: [TFLiteBuiltin: Activation] = [
        .relu: .relu, .relu6: .relu6, .reluN1To1: Activation(.clamp(low: -1, high: 1)),
        .relu0To1: Activation(.clamp(low: 0, high: 1)), .logistic: Activation(.sigmoid), .tanh: Activation(.tanh),
        .hardSwish: Activation(.hardSwish), .elu: Activation(.elu(alpha: 1)),
    ]

    private func addUnary(_ node: TFLiteNode, _ operation: any Operator) throws {
        try finish(node, add(operation, [try operand(node.input(0))]))
    }

    private func addBinary(_ node: TFLiteNode, _ kind: BinaryOperation.Kind) throws {
        let inputs = [try operand(node.input(0)), try operand(node.input(1))]
        var activation = TFLiteActivation.none
        if case .arithmetic(let fused) = node.options { activation = fused }
        let result = try add(BinaryOperation(kind: kind), inputs)
        try finish(node, result, activation)
    }

    private func addSelect(_ node: TFLiteNode, _ builtin: TFLiteBuiltin) throws {
        let condition = try value(node.input(0))
        let inputs = [condition, try operand(node.input(1)), try operand(node.input(2))]
        // The older operator takes one truth value a row, which broadcasting would take for one a column.
        let rank = try tensor(node.input(0)).shape.count
        let wanted = try tensor(node.input(1)).shape.count
        guard builtin == .selectV2 || rank == wanted || rank == 0 else {
            throw node.unsupported("a condition with fewer axes than the values")
        }
        try finish(node, add(Where(), inputs))
    }

    // MARK: Sums and products

    func addReduction(_ node: TFLiteNode, _ kind: Reduce.Kind) throws {
        let axes = try constantIntegers(node, 1, "axes")
        var keeps = false
        if case .reduce(let keepsDimensions) = node.options { keeps = keepsDimensions }
        let input = try operand(node.input(0))
        try finish(
            node,
            add(
                Reduce(kind: kind, keepsDimensions: keeps, noopWithEmptyAxes: true),
                [input, try constant(axes)]))
    }

    func addArgument(_ node: TFLiteNode, largest: Bool) throws {
        let axes = try constantIntegers(node, 1, "axis")
        guard axes.count == 1 else { throw ModelError.invalid("\(axes.count) axes") }
        let indices = try add(
            ArgReduce(kind: largest ? .max : .min, axis: axes[0], keepsDimensions: false), [try operand(node.input(0))])
        try addCast(node, indices, to: try node.output())
    }

    func addSoftmax(_ node: TFLiteNode) throws {
        guard case .softmax(let beta) = node.options else { throw node.unsupported("it has no beta") }
        let input = try operand(node.input(0))
        try finish(node, add(Softmax(beta: beta), [input]))
    }

    /// Divides by the root of the sum of squares along the last axis.
    func addL2Normalization(_ node: TFLiteNode) throws {
        let input = try operand(node.input(0))
        let sum = try reduce(.sum, unary(.square, input), axes: [-1])
        let length = try unary(.sqrt, binary(.max, sum, scalar(1e-6, .float32)))
        var activation = TFLiteActivation.none
        if case .arithmetic(let fused) = node.options { activation = fused }
        try finish(node, binary(.div, input, length), activation)
    }

    /// Weights are one row an output.
    func addFullyConnected(_ node: TFLiteNode) throws {
        var fused = TFLiteActivation.none
        var keeps = false
        if case .fullyConnected(let activation, let shuffled, let keepsDimensions) = node.options {
            guard !shuffled else { throw node.unsupported("its weights are shuffled") }
            (fused, keeps) = (activation, keepsDimensions)
        }
        let weights = try node.input(1)
        guard tensor(weights).shape.count == 2 else {
            throw ModelError.invalid("weights of shape \(tensor(weights).shape)")
        }
        let outputs = tensor(weights).shape[0]
        let width = tensor(weights).shape[1]
        let inputShape = try tensor(node.input(0)).shape
        // An image of one pixel, convolved.
        let pixels = try reshape(operand(node.input(0)), [-1, 1, 1, width])
        var kernel = try floatValue(weights)
        if let constant = graph.values[kernel].constant {
            kernel = graph.addValue(tensor(weights).name, constant: try constant.reshaped([outputs, 1, 1, width]))
        } else {
            kernel = try reshape(kernel, [outputs, 1, 1, width])
        }
        let operation = Convolution(
            geometry: WindowGeometry(kernelHeight: 1, kernelWidth: 1), order: .ohwi,
            activation: try fusedActivation(fused, node))
        var result = try add(
            operation, [pixels, kernel, try bias(node.optionalInput(2), count: outputs)])
        if keeps, inputShape.count != 2 {
            // Only sizes before the last may be open, and only one of them.
            let signature = try tensor(node.input(0)).shapeSignature ?? inputShape
            guard signature.dropLast().count(where: { $0 < 0 }) <= 1 else {
                throw node.unsupported("several sizes of its input are open")
            }
            result = try reshape(result, signature.dropLast() + [outputs])
        } else {
            result = try reshape(result, [-1, outputs])
        }
        try finish(node, result)
    }

    func addMatrixProduct(_ node: TFLiteNode) throws {
        guard case .matrixProduct(let first, let second) = node.options else {
            throw node.unsupported("it does not say what is transposed")
        }
        let inputs = [try operand(node.input(0)), try operand(node.input(1))]
        let operation = MatMul(transposesLeft: first, transposesRight: second)
        try finish(node, add(operation, inputs))
    }
}
