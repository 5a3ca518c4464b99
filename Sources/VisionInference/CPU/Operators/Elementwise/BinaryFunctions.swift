internal import Foundation

extension BinaryOperation: FamilyOperator {
    /// Where the first input has another shape than the output, the engine does not put the output there: it compares
    /// sizes. An input of the same size is read element by element.
    package var inPlaceInput: Int? { givesTruth ? nil : 0 }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        let a = try required(inputs, 0)
        let b = try required(inputs, 1)
        if a.type == .float32, b.type == .float32, let function = kind.kernel,
            let step = BinaryKernelStep(function, a.shape, b.shape, outputs[0].shape)
        {
            return step
        }
        return PlainStep(operation: self)
    }
}

/// Calls `body` with every pair of elements and stores what it gives.
@inline(__always)
private func combine<A, B, C>(
    _ a: TensorView, _ b: TensorView, _ output: TensorView, _ first: UnsafeMutablePointer<A>,
    _ second: UnsafeMutablePointer<B>, _ target: UnsafeMutablePointer<C>, _ body: (A, B) -> C
) {
    let shape = output.shape
    let rows = StridedRows(
        shape, [shape.rowMajorStrides, a.shape.broadcastStrides(to: shape), b.shape.broadcastStrides(to: shape)])
    let (count, firstStep, secondStep) = (rows.count, rows.steps[1], rows.steps[2])
    rows.forEach { offsets in
        let t = target + offsets[0]
        let x = first + offsets[1]
        let y = second + offsets[2]
        for index in 0..<count { t[index] = body(x[index &* firstStep], y[index &* secondStep]) }
    }
}

extension BinaryOperation {
    func floats<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (a, b, output) = (try required(inputs, 0), try required(inputs, 1), outputs[0])
        if kind == .pow { return try powers(T.self, a, b, output) }
        if try compare(T.self, a, b, output) { return }
        @inline(__always) func map(_ body: (T.Wide, T.Wide) -> T.Wide) {
            combine(a, b, output, a.pointer(T.self), b.pointer(T.self), output.pointer(T.self)) {
                T(wide: body($0.wide, $1.wide))
            }
        }
        switch kind {
        case .add: map { $0 + $1 }
        case .sub: map { $0 - $1 }
        case .mul: map { $0 * $1 }
        case .div: map { $0 / $1 }
        case .min: map { T.minimum($0, $1) }
        case .max: map { T.maximum($0, $1) }
        case .mod(let fmod):
            map { x, y in
                let rest = x.truncatingRemainder(dividingBy: y)
                return fmod || rest == 0 || (rest < 0) == (y < 0) ? rest : rest + y
            }
        case .floorDiv: map { ($0 / $1).rounded(.down) }
        case .squaredDifference: map { ($0 - $1) * ($0 - $1) }
        case .atan2:
            combine(a, b, output, a.pointer(T.self), b.pointer(T.self), output.pointer(T.self)) {
                T(double: Foundation.atan2($0.double, $1.double))
            }
        default: throw unsupported(a.type)
        }
    }

    func integers<T: IntegerScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (a, b, output) = (try required(inputs, 0), try required(inputs, 1), outputs[0])
        if kind == .pow { return try powers(T.self, a, b, output) }
        if try compare(T.self, a, b, output) { return }
        @inline(__always) func map(_ body: (T, T) -> T) {
            combine(a, b, output, a.pointer(T.self), b.pointer(T.self), output.pointer(T.self), body)
        }
        switch kind {
        case .add: map { $0 &+ $1 }
        case .sub: map { $0 &- $1 }
        case .mul: map { $0 &* $1 }
        case .div: map { T.divide($0, $1) }
        case .min: map { Swift.min($0, $1) }
        case .max: map { Swift.max($0, $1) }
        case .mod(let fmod):
            map { x, y in
                guard y != 0 else { return 0 }
                let rest = x.remainderReportingOverflow(dividingBy: y).partialValue
                return fmod || rest == 0 || (rest < 0) == (y < 0) ? rest : rest &+ y
            }
        case .floorDiv:
            map { x, y in
                guard y != 0 else { return 0 }
                let quotient = x.dividedReportingOverflow(by: y).partialValue
                let rest = x.remainderReportingOverflow(dividingBy: y).partialValue
                return rest != 0 && (rest < 0) != (y < 0) ? quotient &- 1 : quotient
            }
        case .squaredDifference: map { ($0 &- $1) &* ($0 &- $1) }
        case .bitAnd: map { $0 & $1 }
        case .bitOr: map { $0 | $1 }
        case .bitXor: map { $0 ^ $1 }
        // Swift's smart shifts: bits that leave are lost, whatever the distance.
        case .shiftLeft: map { $0 << $1 }
        case .shiftRight: map { $0 >> $1 }
        default: throw unsupported(a.type)
        }
    }

    func truths(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (a, b, output) = (try required(inputs, 0), try required(inputs, 1), outputs[0])
        @inline(__always) func map(_ body: (Bool, Bool) -> Bool) {
            combine(a, b, output, a.pointer(UInt8.self), b.pointer(UInt8.self), output.pointer(UInt8.self)) {
                body($0 != 0, $1 != 0) ? 1 : 0
            }
        }
        switch kind {
        case .and: map { $0 && $1 }
        case .or: map { $0 || $1 }
        case .equal: map { $0 == $1 }
        default: map { $0 != $1 }
        }
    }

    /// The kinds that give truth values; false for the others.
    private func compare<T: NumericScalar>(
        _ type: T.Type, _ a: TensorView, _ b: TensorView, _ output: TensorView
    ) throws -> Bool {
        guard givesTruth else { return false }
        @inline(__always) func map(_ body: (T.Wide, T.Wide) -> Bool) {
            combine(a, b, output, a.pointer(T.self), b.pointer(T.self), output.pointer(UInt8.self)) {
                body($0.wide, $1.wide) ? 1 : 0
            }
        }
        switch kind {
        case .equal: map { $0 == $1 }
        case .notEqual: map { $0 != $1 }
        case .less: map { $0 < $1 }
        case .greater: map { $0 > $1 }
        case .lessOrEqual: map { $0 <= $1 }
        default: map { $0 >= $1 }
        }
        return true
    }

    private func powers<T: NumericScalar>(
        _ type: T.Type, _ a: TensorView, _ b: TensorView, _ output: TensorView
    ) throws {
        switch b.type {
        case .float32: power(T.self, Float.self, a, b, output)
        case .float64: power(T.self, Double.self, a, b, output)
        case .float16: power(T.self, Float16.self, a, b, output)
        case .bfloat16: power(T.self, BFloat16.self, a, b, output)
        case .int8: power(T.self, Int8.self, a, b, output)
        case .uint8: power(T.self, UInt8.self, a, b, output)
        case .int16: power(T.self, Int16.self, a, b, output)
        case .uint16: power(T.self, UInt16.self, a, b, output)
        case .int32: power(T.self, Int32.self, a, b, output)
        case .uint32: power(T.self, UInt32.self, a, b, output)
        case .int64: power(T.self, Int64.self, a, b, output)
        case .uint64: power(T.self, UInt64.self, a, b, output)
        case .bool: throw unsupported(.bool)
        }
    }

    private func power<T: NumericScalar, E: NumericScalar>(
        _ type: T.Type, _ exponent: E.Type, _ a: TensorView, _ b: TensorView, _ output: TensorView
    ) {
        if b.elementCount == 1 {
            // Squares are by far the most frequent powers.
            let value = b.pointer(E.self)[0].double
            let (source, target) = (a.pointer(T.self), output.pointer(T.self))
            if value == 2, a.elementCount == output.elementCount {
                for index in 0..<a.elementCount {
                    target[index] = T(wide: T.multiply(source[index].wide, source[index].wide))
                }
                return
            }
        }
        combine(a, b, output, a.pointer(T.self), b.pointer(E.self), output.pointer(T.self)) {
            T(double: Foundation.pow($0.double, $1.double))
        }
    }
}
