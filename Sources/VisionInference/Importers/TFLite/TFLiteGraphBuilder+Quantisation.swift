extension TFLiteGraphBuilder {
    /// Whether a tensor's integers stand for other numbers.
    func isScaled(_ index: Int) -> Bool {
        let tensor = tensor(index)
        guard tensor.quantization != nil else { return false }
        switch tensor.type {
        case .int8, .uint8, .int16, .uint16, .int32: return true
        default: return false
        }
    }

    /// Adds the operator that turns a tensor's elements into floats.
    func addFloats(of value: Graph.ValueID, _ tensor: TFLiteTensor) throws -> Graph.ValueID {
        try named(tensor.name) {
            let type = try elementType(of: tensor)
            guard let scale = tensor.quantization, !type.isFloat else { return try cast(value, .float32) }
            let (scales, zeros) = try constants(scale, type, tensor)
            return try dequantised(value, scales: scales, zeroPoints: zeros, axis: scale.axis)
        }
    }

    /// Adds the operator that turns floats into a tensor's elements.
    func addScaling(of value: Graph.ValueID, _ tensor: TFLiteTensor) throws -> Graph.ValueID {
        try named(tensor.name) {
            guard let scale = tensor.quantization else {
                throw ModelError.invalid("tensor “\(tensor.name)” has no scale")
            }
            let (scales, zeros) = try constants(scale, elementType(of: tensor), tensor)
            return try quantised(value, scales: scales, zeroPoints: zeros, axis: scale.axis)
        }
    }

    private func constants(
        _ scale: TFLiteQuantization, _ type: ElementType, _ tensor: TFLiteTensor
    ) throws -> (scales: Graph.ValueID, zeros: Graph.ValueID) {
        guard
            scale.scales.count == 1
                || tensor.shape.indices.contains(scale.axis) && tensor.shape[scale.axis] == scale.scales.count
        else {
            throw ModelError.invalid(
                "tensor “\(tensor.name)” of shape \(tensor.shape) has \(scale.scales.count) scales "
                    + "for axis \(scale.axis)"
            )
        }
        let shape = scale.scales.count == 1 ? [] : [scale.scales.count]
        func zeros<Element: TensorScalar & FixedWidthInteger>(_: Element.Type) throws -> Tensor {
            try Tensor(scale.zeroPoints.map { Element(clamping: $0) }, shape: shape)
        }
        let zero: Tensor =
            switch type {
            case .int8: try zeros(Int8.self)
            case .uint8: try zeros(UInt8.self)
            case .int16: try zeros(Int16.self)
            case .uint16: try zeros(UInt16.self)
            case .int32: try zeros(Int32.self)
            default: throw ModelError.invalid("tensor “\(tensor.name)” has a scale and elements of type \(type)")
            }
        return (
            graph.addValue("\(tensor.name) scale", constant: try Tensor(scale.scales, shape: shape)),
            graph.addValue("\(tensor.name) zero point", constant: zero)
        )
    }
}
