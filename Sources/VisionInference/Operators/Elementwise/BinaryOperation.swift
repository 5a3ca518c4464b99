/// A function of two elements; shapes are broadcast.
package struct BinaryOperation: TypedOperator {
    package enum Kind: Hashable, Sendable {
        // Of numbers. Integers wrap around, are divided towards zero, and give zero when divided by it.
        case add, sub, mul, div, min, max
        /// The second input may be of another type than the first.
        case pow
        /// The remainder, with the divisor's sign, or with `fmod` the dividend's.
        case mod(fmod: Bool)
        /// The quotient rounded down, and (a − b)².
        case floorDiv, squaredDifference
        case atan2
        // Giving truth values
        case equal, notEqual, less, greater, lessOrEqual, greaterOrEqual
        // Of truth values
        case and, or, xor
        // Of integers
        case bitAnd, bitOr, bitXor, shiftLeft, shiftRight
    }

    package var kind: Kind

    package init(kind: Kind) { self.kind = kind }

    package var name: String {
        let text = String(describing: kind).prefix { $0 != "(" }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    var givesTruth: Bool {
        switch kind {
        case .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual: true
        default: false
        }
    }

    /// Where the first input has another shape than the output, the engine does not put the output there: it compares
    /// sizes. An input of the same size is read element by element.
    package var inPlaceInput: Int? { givesTruth ? nil : 0 }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let a = try required(inputs, 0)
        let b = try required(inputs, 1)
        let isWhole = !a.type.isFloat && a.type != .bool
        let fits =
            switch kind {
            case .and, .or, .xor: a.type == .bool
            case .equal, .notEqual: true
            case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight: isWhole
            case .atan2: a.type.isFloat
            default: a.type != .bool
            }
        guard fits else { throw unsupported(a.type) }
        if kind == .pow {
            guard b.type != .bool else { throw unsupported(b.type) }
        } else {
            try check(a.type == b.type, "inputs of types \(a.type) and \(b.type)")
        }
        return .known([TensorDescription(givesTruth ? .bool : a.type, try a.shape.broadcast(with: b.shape))])
    }

    package func sinking(
        _ permutation: [Int], _ inputs: [TensorDescription?], _ outputs: [TensorDescription]
    ) -> Sinking? {
        let rank = outputs.first?.shape.count
        let listed = inputs.indices.filter { inputs[$0]?.shape.elementCount != 1 || inputs[$0]?.shape.count == rank }
        // One that has fewer axes than the output would be broadcast along others.
        guard !listed.isEmpty, listed.allSatisfy({ inputs[$0]?.shape.count == rank }) else { return nil }
        return Sinking(replacement: self, inputs: listed, outputPermutations: [permutation])
    }

    package func prepare(
        _ inputs: [TensorDescription?], _ outputs: [TensorDescription], _ preparation: Preparation
    ) throws -> any Step {
        let a = try required(inputs, 0)
        let b = try required(inputs, 1)
        if a.type == .float32, b.type == .float32, let function = kind.kernel,
            let step = BinaryKernelStep(function, a.shape, b.shape, outputs[0].shape)
        {
            return step
        }
        return PlainStep(operation: self)
    }

    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let a = try required(inputs, 0)
        let b = try required(inputs, 1)
        let output = outputs[0]
        switch a.type {
        case .float32: try floats(Float.self, a, b, output)
        case .float64: try floats(Double.self, a, b, output)
        case .float16: try floats(Float16.self, a, b, output)
        case .bfloat16: try floats(BFloat16.self, a, b, output)
        case .int8: try integers(Int8.self, a, b, output)
        case .uint8: try integers(UInt8.self, a, b, output)
        case .int16: try integers(Int16.self, a, b, output)
        case .uint16: try integers(UInt16.self, a, b, output)
        case .int32: try integers(Int32.self, a, b, output)
        case .uint32: try integers(UInt32.self, a, b, output)
        case .int64: try integers(Int64.self, a, b, output)
        case .uint64: try integers(UInt64.self, a, b, output)
        case .bool: truths(a, b, output)
        }
    }
}
