extension Cast: PlainOperator {
    package var inPlaceInput: Int? { nil }

    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        convertElements(try required(inputs, 0), outputs[0])
    }
}

/// Copies elements, each as the number of the output's type that it is nearest to, as `Cast` says.
/// Precondition: both tensors have as many elements.
func convertElements(_ input: TensorView, _ output: TensorView) {
    precondition(input.elementCount == output.elementCount)
    if input.type == output.type {
        copyBytes(input.byteCount, from: input.base, to: output.base)
        return
    }
    switch input.type {
    case .float32: fromFloat(Float.self, input, output)
    case .float64: fromFloat(Double.self, input, output)
    case .float16: fromFloat(Float16.self, input, output)
    case .bfloat16: fromFloat(BFloat16.self, input, output)
    case .int8: fromInteger(Int8.self, input, output)
    case .uint8, .bool: fromInteger(UInt8.self, input, output)
    case .int16: fromInteger(Int16.self, input, output)
    case .uint16: fromInteger(UInt16.self, input, output)
    case .int32: fromInteger(Int32.self, input, output)
    case .uint32: fromInteger(UInt32.self, input, output)
    case .int64: fromInteger(Int64.self, input, output)
    case .uint64: fromInteger(UInt64.self, input, output)
    }
}

@inline(__always)
private func map<A: TensorScalar, B: TensorScalar>(_ input: TensorView, _ output: TensorView, _ body: (A) -> B) {
    let source = input.pointer(A.self)
    let target = output.pointer(B.self)
    for index in 0..<input.elementCount { target[index] = body(source[index]) }
}

private func fromFloat<T: FloatScalar>(_ type: T.Type, _ input: TensorView, _ output: TensorView) {
    switch output.type {
    case .float32: map(input, output) { (x: T) in Float(x.double) }
    case .float64: map(input, output) { (x: T) in x.double }
    case .float16: map(input, output) { (x: T) in Float16(double: x.double) }
    case .bfloat16: map(input, output) { (x: T) in BFloat16(double: x.double) }
    case .int8: map(input, output) { (x: T) in Int8(double: x.double) }
    case .uint8: map(input, output) { (x: T) in UInt8(double: x.double) }
    case .int16: map(input, output) { (x: T) in Int16(double: x.double) }
    case .uint16: map(input, output) { (x: T) in UInt16(double: x.double) }
    case .int32: map(input, output) { (x: T) in Int32(double: x.double) }
    case .uint32: map(input, output) { (x: T) in UInt32(double: x.double) }
    case .int64: map(input, output) { (x: T) in Int64(double: x.double) }
    case .uint64: map(input, output) { (x: T) in UInt64(double: x.double) }
    case .bool: map(input, output) { (x: T) in x.double == 0 ? UInt8(0) : 1 }
    }
}

/// Integers among themselves keep their lowest bits.
private func fromInteger<T: IntegerScalar>(_ type: T.Type, _ input: TensorView, _ output: TensorView) {
    switch output.type {
    case .float32: map(input, output) { (x: T) in Float(x) }
    case .float64: map(input, output) { (x: T) in Double(x) }
    case .float16: map(input, output) { (x: T) in Float16(double: Double(x)) }
    case .bfloat16: map(input, output) { (x: T) in BFloat16(Float(x)) }
    case .int8: map(input, output) { (x: T) in Int8(truncatingIfNeeded: x) }
    case .uint8: map(input, output) { (x: T) in UInt8(truncatingIfNeeded: x) }
    case .int16: map(input, output) { (x: T) in Int16(truncatingIfNeeded: x) }
    case .uint16: map(input, output) { (x: T) in UInt16(truncatingIfNeeded: x) }
    case .int32: map(input, output) { (x: T) in Int32(truncatingIfNeeded: x) }
    case .uint32: map(input, output) { (x: T) in UInt32(truncatingIfNeeded: x) }
    case .int64: map(input, output) { (x: T) in Int64(truncatingIfNeeded: x) }
    case .uint64: map(input, output) { (x: T) in UInt64(truncatingIfNeeded: x) }
    case .bool: map(input, output) { (x: T) in x == 0 ? UInt8(0) : 1 }
    }
}
