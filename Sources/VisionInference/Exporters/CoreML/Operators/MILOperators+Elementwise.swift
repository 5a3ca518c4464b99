extension BinaryOperation: MILOperator {
    func write(_ node: MILNode) throws {
        let (a, b) = (try node.input(0), try node.cast(try node.input(1), try node.input(0).element))
        switch kind {
        case .squaredDifference:
            let difference = try node.binary("sub", a, b)
            node.finish(try node.unary("square", difference))
        case .equal where a.element == .bool, .notEqual where a.element == .bool:
            let isDifferent = try node.binary("logical_xor", a, b)
            node.finish(kind == .equal ? try node.unary("logical_not", isDifferent) : isDifferent)
        default:
            let isFloat = a.element != .int32
            guard let type = Self.type(kind, isFloat: isFloat) else {
                throw ModelError.unsupported("ML programs have no such operation")
            }
            node.finish(try node.binary(type, a, b, givesTruth ? .bool : nil))
        }
    }

    /// The name of the operation.
    private static func type(_ kind: Kind, isFloat: Bool) -> String? {
        switch kind {
        case .add: "add"
        case .sub: "sub"
        case .mul: "mul"
        // Whole numbers are rounded down, which for those that are not negative is what the engine does.
        case .div: isFloat ? "real_div" : "floor_div"
        case .min: "minimum"
        case .max: "maximum"
        case .pow: "pow"
        case .mod(let fmod): fmod ? nil : "mod"
        case .floorDiv: "floor_div"
        case .equal: "equal"
        case .notEqual: "not_equal"
        case .less: "less"
        case .greater: "greater"
        case .lessOrEqual: "less_equal"
        case .greaterOrEqual: "greater_equal"
        case .and: "logical_and"
        case .or: "logical_or"
        case .xor: "logical_xor"
        case .squaredDifference, .atan2, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight: nil
        }
    }
}

extension UnaryOperation: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        func by(_ number: Double, _ what: String = "factor") throws -> MILReference {
            try node.scalar(number, like: x, what)
        }
        switch kind {
        case .neg: node.finish(try node.binary("mul", x, by(-1)))
        case .reciprocal: node.finish(try node.binary("real_div", by(1, "one"), x))
        case .not: node.finish(try node.unary("logical_not", x))
        // A number that is none differs from itself.
        case .isNaN: node.finish(try node.binary("not_equal", x, x, .bool))
        case .square where x.element == .int32: node.finish(try node.binary("mul", x, x))
        case .celu(let alpha):
            let scaled = try node.binary("mul", x, by(1 / Double(alpha)))
            let curve = try node.add("elu", ["x": .value(scaled), "alpha": .float(1)], x.shape)
            node.finish(try node.binary("mul", curve, by(Double(alpha))))
        case .selu(let alpha, let gamma):
            let curve = try node.add("elu", ["x": .value(x), "alpha": .float(alpha)], x.shape)
            node.finish(try node.binary("mul", curve, by(Double(gamma))))
        case .thresholdedRelu(let alpha):
            node.finish(try node.add("thresholded_relu", ["x": .value(x), "alpha": .float(alpha)], x.shape))
        default:
            guard let type = Self.type(kind) else { throw ModelError.unsupported("ML programs have no such operation") }
            node.finish(try node.unary(type, x))
        }
    }

    private static func type(_ kind: Kind) -> String? {
        switch kind {
        case .abs: "abs"
        case .sign: "sign"
        case .exp: "exp"
        case .log: "log"
        case .sqrt: "sqrt"
        case .reciprocalSqrt: "rsqrt"
        case .square: "square"
        case .floor: "floor"
        case .ceil: "ceil"
        case .round: "round"
        case .sin: "sin"
        case .cos: "cos"
        case .tan: "tan"
        case .asin: "asin"
        case .acos: "acos"
        case .atan: "atan"
        case .sinh: "sinh"
        case .cosh: "cosh"
        case .atanh: "atanh"
        case .erf: "erf"
        case .softsign: "softsign"
        default: nil
        }
    }
}

extension Cast: MILOperator {
    func write(_ node: MILNode) throws {
        var value = try node.input(0)
        let (from, target) = (node.inputs[0]?.type ?? .float32, node.program.element(to))
        let bounds: (Double, Double)? =
            switch to {
            case .uint8: (0, 255)
            case .int8: (-128, 127)
            case .uint16: (0, 65535)
            case .int16: (-32768, 32767)
            default: nil
            }
        if let bounds, from != .bool, from != to {
            guard from.isFloat else { throw ModelError.unsupported("it makes whole numbers of \(to.size * 8) bits") }
            let low = try node.scalar(bounds.0, like: value, "low")
            let high = try node.scalar(bounds.1, like: value, "high")
            value = try node.binary("minimum", node.binary("maximum", value, low), high)
        }
        node.finish(try node.cast(value, target))
    }
}

extension Where: MILOperator {
    func write(_ node: MILNode) throws {
        let (condition, a, b) = (try node.input(0), try node.input(1), try node.input(2))
        // The two values alone decide on the shape of the result.
        let wide =
            try a.shape.broadcast(with: b.shape) == node.outputShape ? a : node.broadcast(a, to: node.outputShape)
        node.finish(
            try node.add(
                "select", ["cond": .value(condition), "a": .value(wide), "b": .value(b)], node.outputShape,
                a.element))
    }
}
