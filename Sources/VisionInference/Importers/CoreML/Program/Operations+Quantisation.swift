/// Operations on numbers of eight bits.
extension ProgramDefinition {
    static let quantisation: [String: ProgramDefinition] = [
        "quantize": .init { operation in
            let types: [String: ElementType] = ["int8": .int8, "uint8": .uint8]
            let name = operation.text("output_dtype", "")
            guard let type = types[name] else { throw ModelError.unsupported("numbers of the type “\(name)”") }
            return try operation.add(
                QuantizeLinear(axis: operation.int("axis", 0), type: type),
                [operation.floats(operation.value("input"))] + operation.scaleAndZeroPoint())
        },
        "dequantize": .init { operation in
            try operation.add(
                DequantizeLinear(axis: operation.int("axis", 0)),
                [operation.value("input")] + operation.scaleAndZeroPoint())
        },
    ]
}

extension ProgramLowering {
    /// One for all or one for each index of an axis; a single zero point serves all scales.
    fileprivate func scaleAndZeroPoint() throws -> [Value] {
        let scale = try floats(value("scale"))
        guard let zeroPoint = optional("zero_point") else { return [scale] }
        let shape = try shape(scale)
        let single = try self.shape(zeroPoint).elementCount == 1 && shape.elementCount > 1
        return [scale, single ? try expand(reshape(zeroPoint, []), to: shape) : zeroPoint]
    }
}
