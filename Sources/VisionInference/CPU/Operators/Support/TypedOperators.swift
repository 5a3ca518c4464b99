/// An operator that is written once for all types of one family and compiled for each.
protocol TypedOperator: PlainOperator {
    /// The type that decides which version runs.
    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType
}

extension TypedOperator {
    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType {
        (inputs.first ?? nil)?.type ?? outputs[0].type
    }
}

/// Computes on numbers of every type, but not alike: written once for floats, once for integers, once for truth values.
protocol FamilyOperator: TypedOperator {
    func floats<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws
    func integers<T: IntegerScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws
    func truths(_ inputs: [TensorView?], _ outputs: [TensorView]) throws
}

extension FamilyOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        switch computingType(inputs, outputs) {
        case .float32: try floats(Float.self, inputs, outputs)
        case .float64: try floats(Double.self, inputs, outputs)
        case .float16: try floats(Float16.self, inputs, outputs)
        case .bfloat16: try floats(BFloat16.self, inputs, outputs)
        case .int8: try integers(Int8.self, inputs, outputs)
        case .uint8: try integers(UInt8.self, inputs, outputs)
        case .int16: try integers(Int16.self, inputs, outputs)
        case .uint16: try integers(UInt16.self, inputs, outputs)
        case .int32: try integers(Int32.self, inputs, outputs)
        case .uint32: try integers(UInt32.self, inputs, outputs)
        case .int64: try integers(Int64.self, inputs, outputs)
        case .uint64: try integers(UInt64.self, inputs, outputs)
        case .bool: try truths(inputs, outputs)
        }
    }

    func truths(_ inputs: [TensorView?], _ outputs: [TensorView]) throws { throw unsupported(.bool) }
}

/// Computes on floats of every size.
protocol FloatOperator: TypedOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws
}

extension FloatOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let type = computingType(inputs, outputs)
        switch type {
        case .float32: try compute(Float.self, inputs, outputs)
        case .float64: try compute(Double.self, inputs, outputs)
        case .float16: try compute(Float16.self, inputs, outputs)
        case .bfloat16: try compute(BFloat16.self, inputs, outputs)
        default: throw unsupported(type)
        }
    }
}

/// Computes on all numbers.
protocol NumericOperator: TypedOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws
}

extension NumericOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        switch computingType(inputs, outputs) {
        case .float32: try compute(Float.self, inputs, outputs)
        case .float64: try compute(Double.self, inputs, outputs)
        case .float16: try compute(Float16.self, inputs, outputs)
        case .bfloat16: try compute(BFloat16.self, inputs, outputs)
        case .int8: try compute(Int8.self, inputs, outputs)
        case .uint8, .bool: try compute(UInt8.self, inputs, outputs)
        case .int16: try compute(Int16.self, inputs, outputs)
        case .uint16: try compute(UInt16.self, inputs, outputs)
        case .int32: try compute(Int32.self, inputs, outputs)
        case .uint32: try compute(UInt32.self, inputs, outputs)
        case .int64: try compute(Int64.self, inputs, outputs)
        case .uint64: try compute(UInt64.self, inputs, outputs)
        }
    }
}

/// Integers of an element's size.
typealias ElementWord = FixedWidthInteger & BitwiseCopyable & Sendable

/// Moves elements of any type: only their size matters.
protocol MovingOperator: TypedOperator {
    func move<Word: ElementWord>(_ word: Word.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws
}

extension MovingOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        switch computingType(inputs, outputs).size {
        case 1: try move(UInt8.self, inputs, outputs)
        case 2: try move(UInt16.self, inputs, outputs)
        case 4: try move(UInt32.self, inputs, outputs)
        default: try move(UInt64.self, inputs, outputs)
        }
    }
}

extension TensorView {
    /// The elements as words of their size.
    func words<Word: ElementWord>(_ type: Word.Type) -> UnsafeMutablePointer<Word> {
        precondition(self.type.size == MemoryLayout<Word>.size)
        return base.assumingMemoryBound(to: Word.self)
    }

    /// The first element. Precondition: as for `elements`.
    func pointer<Scalar: TensorScalar>(_ type: Scalar.Type = Scalar.self) -> UnsafeMutablePointer<Scalar> {
        precondition(self.type == Scalar.elementType || (self.type == .bool && Scalar.elementType == .uint8))
        return base.assumingMemoryBound(to: Scalar.self)
    }

    /// The elements of a tensor of whole numbers, as `Int`.
    var integers: [Int]? {
        switch type {
        case .int64: elements(Int64.self).map { Int(clamping: $0) }
        case .int32: elements(Int32.self).map { Int($0) }
        case .int16: elements(Int16.self).map { Int($0) }
        case .int8: elements(Int8.self).map { Int($0) }
        case .uint8, .bool: elements(UInt8.self).map { Int($0) }
        case .uint16: elements(UInt16.self).map { Int($0) }
        case .uint32: elements(UInt32.self).map { Int($0) }
        case .uint64: elements(UInt64.self).map { Int(clamping: $0) }
        default: nil
        }
    }

    /// The elements of a tensor of numbers, as `Double`.
    var doubles: [Double] {
        switch type {
        case .float32: elements(Float.self).map { Double($0) }
        case .float64: Array(elements(Double.self))
        case .float16: elements(Float16.self).map { Double($0) }
        case .bfloat16: elements(BFloat16.self).map { Double($0.float) }
        default: (integers ?? []).map { Double($0) }
        }
    }
}
