internal import Foundation

extension UnaryOperation: FamilyOperator {
    package var inPlaceInput: Int? { givesTruth ? nil : 0 }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        if try required(inputs, 0).type == .float32, let kernel = kind.kernel {
            return KernelStep(work: .unary(kernel), count: outputs[0].shape.elementCount)
        }
        return PlainStep(operation: self)
    }
}

extension UnaryOperation {
    func floats<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (input, output) = (try required(inputs, 0), outputs[0])
        @inline(__always) func map(_ body: (T.Wide) -> T.Wide) {
            let source = input.pointer(T.self)
            let target = output.pointer(T.self)
            for index in 0..<input.elementCount { target[index] = T(wide: body(source[index].wide)) }
        }
        @inline(__always) func mapDouble(_ body: (Double) -> Double) {
            let source = input.pointer(T.self)
            let target = output.pointer(T.self)
            for index in 0..<input.elementCount { target[index] = T(double: body(source[index].double)) }
        }
        @inline(__always) func test(_ body: (T.Wide) -> Bool) {
            let source = input.pointer(T.self)
            let target = output.pointer(UInt8.self)
            for index in 0..<input.elementCount { target[index] = body(source[index].wide) ? 1 : 0 }
        }
        switch kind {
        case .abs: map { $0.magnitude }
        case .neg: map { -$0 }
        case .sign: map { $0 > 0 ? 1 : $0 < 0 ? -1 : $0 }
        case .sqrt: map { $0.squareRoot() }
        case .reciprocal: map { 1 / $0 }
        case .reciprocalSqrt: map { 1 / $0.squareRoot() }
        case .square: map { $0 * $0 }
        case .floor: map { $0.rounded(.down) }
        case .ceil: map { $0.rounded(.up) }
        case .round: map { $0.rounded(.toNearestOrEven) }
        case .exp: mapDouble { Foundation.exp($0) }
        case .log: mapDouble { Foundation.log($0) }
        case .sin: mapDouble { Foundation.sin($0) }
        case .cos: mapDouble { Foundation.cos($0) }
        case .tan: mapDouble { Foundation.tan($0) }
        case .asin: mapDouble { Foundation.asin($0) }
        case .acos: mapDouble { Foundation.acos($0) }
        case .atan: mapDouble { Foundation.atan($0) }
        case .sinh: mapDouble { Foundation.sinh($0) }
        case .cosh: mapDouble { Foundation.cosh($0) }
        case .asinh: mapDouble { Foundation.asinh($0) }
        case .acosh: mapDouble { Foundation.acosh($0) }
        case .atanh: mapDouble { Foundation.atanh($0) }
        case .erf: mapDouble { Foundation.erf($0) }
        case .softsign: map { $0 / (1 + $0.magnitude) }
        case .celu(let alpha):
            let alpha = Double(alpha)
            mapDouble { Swift.max($0, 0) + Swift.min(0, alpha * expm1($0 / alpha)) }
        case .selu(let alpha, let gamma):
            let alpha = Double(alpha)
            let gamma = Double(gamma)
            mapDouble { gamma * ($0 > 0 ? $0 : alpha * expm1($0)) }
        case .thresholdedRelu(let alpha):
            let alpha = T.Wide(alpha)
            map { $0 > alpha ? $0 : 0 }
        case .shrink(let bias, let lambd):
            let bias = T.Wide(bias)
            let lambd = T.Wide(lambd)
            map { $0 < -lambd ? $0 + bias : $0 > lambd ? $0 - bias : 0 }
        case .isNaN: test { $0 != $0 }
        case .isInf(let negative, let positive):
            test { $0.isInfinite && ($0 < 0 ? negative : positive) }
        case .not, .bitwiseNot: break
        }
    }

    func integers<T: IntegerScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (input, output) = (try required(inputs, 0), outputs[0])
        @inline(__always) func map(_ body: (T) -> T) {
            let source = input.pointer(T.self)
            let target = output.pointer(T.self)
            for index in 0..<input.elementCount { target[index] = body(source[index]) }
        }
        switch kind {
        case .abs: map { $0 < 0 ? 0 &- $0 : $0 }
        case .neg: map { 0 &- $0 }
        case .sign: map { $0.signum() }
        case .square: map { $0 &* $0 }
        case .bitwiseNot: map { ~$0 }
        case .shrink(let bias, let lambd):
            let bias = Double(bias)
            let lambd = Double(lambd)
            map {
                let value = Double($0)
                return T(double: value < -lambd ? value + bias : value > lambd ? value - bias : 0)
            }
        default: break
        }
    }

    func truths(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.pointer(UInt8.self)
        let target = outputs[0].pointer(UInt8.self)
        for index in 0..<input.elementCount { target[index] = source[index] == 0 ? 1 : 0 }
    }
}
