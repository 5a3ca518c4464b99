package struct TFLiteTensor: Sendable {
    package let name: String
    package let type: TFLiteElementType
    /// Sizes, outermost first; sizes that may change are 1 here.
    package let shape: [Int]
    /// The shape with -1 for sizes that may change; nil where the file does not say.
    package let shapeSignature: [Int]?
    /// Index of the buffer with the tensor's values; the buffer is empty for tensors that are computed.
    package let buffer: Int
    package let quantization: TFLiteQuantization?
    package let sparsity: TFLiteSparsity?
    package let isVariable: Bool

    init(_ table: FlatTable, limits: TFLiteLimits) throws {
        name = try table.string(3) ?? ""
        let code = try table.integer(1, Int8.self)
        guard let type = TFLiteElementType(rawValue: code) else {
            throw ModelError.unreadable("tensor '\(name)' has elements of type number \(code)")
        }
        self.type = type
        shape = try table.integers(0, Int32.self) ?? []
        shapeSignature = try table.integers(7, Int32.self).flatMap { $0.isEmpty ? nil : $0 }
        guard shape.allSatisfy({ $0 >= 0 }), shapeSignature?.allSatisfy({ $0 >= -1 }) ?? true,
            shapeSignature?.count ?? shape.count == shape.count
        else { throw ModelError.damaged("tensor '\(name)' has an impossible shape", at: table.position) }
        buffer = try limits.buffer(table.integer(2, UInt32.self), at: table.position)
        guard try table.integer(10, UInt32.self) == 0 else {
            throw ModelError.unreadable("tensor '\(name)' has its values in another file")
        }
        quantization = try table.table(4).flatMap { try TFLiteQuantization($0) }
        sparsity = try table.table(6).map { try TFLiteSparsity($0) }
        isVariable = try table.flag(5)
    }
}

package enum TFLiteElementType: Int8, Sendable {
    case float32, float16, int32, uint8, int64, string, bool, int16, complex64, int8, float64, complex128, uint64,
        resource,
        variant, uint32, uint16, int4, bfloat16, int2, uint4

    /// Bytes an element; nil for types whose elements do not have whole bytes of their own.
    package var size: Int? {
        switch self {
        case .int8, .uint8, .bool: 1
        case .float16, .bfloat16, .int16, .uint16: 2
        case .float32, .int32, .uint32: 4
        case .float64, .int64, .uint64, .complex64: 8
        case .complex128: 16
        case .string, .resource, .variant, .int4, .int2, .uint4: nil
        }
    }
}

/// What an integer stands for: `scale * (integer - zeroPoint)`, for the whole tensor or for each index of one axis.
package struct TFLiteQuantization: Sendable, Equatable {
    package let scales: [Float]
    /// As many as there are scales.
    package let zeroPoints: [Int]
    /// The axis that the scales belong to where there are several.
    package let axis: Int

    /// Nil when the table says nothing: converters leave empty ones on tensors that are not quantised.
    init?(_ table: FlatTable) throws {
        let scales = try table.floats(2) ?? []
        let zeroPoints = try table.integers(3, Int64.self) ?? []
        let details = try table.integer(4, UInt8.self)
        guard details == 0 else { throw ModelError.unreadable("a kind of quantisation with details of its own") }
        guard !scales.isEmpty else { return nil }
        guard zeroPoints.isEmpty || zeroPoints.count == scales.count else {
            throw ModelError.damaged(
                "a tensor has \(scales.count) scales and \(zeroPoints.count) zero points", at: table.position)
        }
        guard scales.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
            throw ModelError.damaged("a scale is negative or no number", at: table.position)
        }
        self.scales = scales
        self.zeroPoints = zeroPoints.isEmpty ? [Int](repeating: 0, count: scales.count) : zeroPoints
        axis = Int(try table.integer(6, Int32.self))
    }
}
