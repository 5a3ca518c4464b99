import VisionThreads

/// The weights of a neural network's layers (`WeightParams`), decoded once, and its custom layers, made once: sessions
/// for several shapes share them.
final class CoreMLWeights: Sendable {
    private struct Key: Hashable {
        let start: Int
        let shape: Shape
    }

    private let decoded = Locked<[Key: Tensor]>([:])
    /// By where their messages begin.
    private let customLayers = Locked<[Int: any CustomLayer]>([:])
    private let makeCustomLayer: CustomLayerFactory?

    /// - Parameter customLayers: nil: there are none.
    init(customLayers: CustomLayerFactory? = nil) { makeCustomLayer = customLayers }

    /// What computes a custom layer.
    ///
    /// - Throws: The errors of the factory; `ModelError` where there is none.
    func customLayer(_ message: ProtobufMessage, name: String) throws -> any CustomLayer {
        guard let makeCustomLayer else {
            throw ModelError.unsupported(
                "custom layers are computed by classes of the app that the file was made for: open it with MLModel, or "
                    + "convert the network to ONNX", operation: "custom", node: name)
        }
        let description = try CustomLayerDescription(message, name: name)
        return try customLayers.withLock { made in
            if let layer = made[message.range.lowerBound] { return layer }
            let layer = try makeCustomLayer(description)
            made[message.range.lowerBound] = layer
            return layer
        }
    }

    /// - Throws: `ModelError` when the message has not as many elements as the shape.
    func tensor(_ message: ProtobufMessage, _ shape: Shape) throws -> Tensor {
        let key = Key(start: message.range.lowerBound, shape: shape)
        if let tensor = decoded.withLock({ $0[key] }) { return tensor }
        let tensor = try Self.decode(message, shape)
        decoded.withLock { $0[key] = tensor }
        return tensor
    }

    private static func decode(_ message: ProtobufMessage, _ shape: Shape) throws -> Tensor {
        let count = try shape.checkedElementCount(.float32)
        func check(_ found: Int, _ what: String) throws {
            guard found == count else {
                throw ModelError.damaged("weights of shape \(shape) have \(found) \(what), not \(count)")
            }
        }
        if let quantization = try message.message(40) {
            return try Tensor(quantised(message, quantization, count), shape: shape)
        }
        if let halves = try message.slice(2), halves.count > 0 {
            try check(halves.count / 2, "half floats")
            let tensor = try Tensor(.float16, shape: shape, storage: halves.withBytes { TensorStorage(copying: $0) })
            return try tensor.widened()
        }
        let floats = try message.floats(1)
        try check(floats.count, "floats")
        return try Tensor(floats, shape: shape)
    }

    /// Numbers of 1 to 8 bits, packed with the most significant bit first, as indices of a table or on a scale.
    private static func quantised(
        _ message: ProtobufMessage, _ quantization: ProtobufMessage, _ count: Int
    ) throws -> [Float] {
        let bits = try quantization.int(1)
        guard (1...8).contains(bits) else { throw ModelError.invalid("weights quantised to \(bits) bits") }
        let isSigned = try message.slice(30) == nil && message.has(31)
        guard let raw = try message.slice(isSigned ? 31 : 30) else {
            throw ModelError.damaged("quantised weights without their numbers")
        }
        // The count is bounded by 2 GB of floats.
        guard raw.count == (count * bits + 7) / 8 else {
            throw ModelError.damaged("\(count) weights of \(bits) bits in \(raw.count) bytes")
        }
        let indices = PackedIntegers.unpack(raw, bits: bits, count: count, order: .mostSignificantFirst)
        if let table = try quantization.message(102) {
            let values = try table.floats(1)
            guard values.count == 1 << bits else {
                throw ModelError.damaged("a table of \(values.count) weights for \(bits) bits")
            }
            return indices.map { values[Int($0)] }
        }
        guard let linear = try quantization.message(101) else {
            throw ModelError.damaged("quantised weights without a scale or a table")
        }
        let (scales, biases) = (try linear.floats(1), try linear.floats(2))
        guard !scales.isEmpty, count % scales.count == 0, biases.isEmpty || biases.count == scales.count else {
            throw ModelError.damaged("\(scales.count) scales and \(biases.count) biases for \(count) weights")
        }
        // One scale for all weights, or for each output channel, which is the first axis.
        let run = max(count / scales.count, 1)
        return indices.enumerated().map { index, value in
            let number = isSigned ? Float(Int8(bitPattern: value)) : Float(value)
            let channel = index / run
            return number * scales[channel] + (biases.isEmpty ? 0 : biases[channel])
        }
    }
}

/// Whole numbers of fewer than eight bits.
enum PackedIntegers {
    enum Order { case mostSignificantFirst, leastSignificantFirst }

    /// - Parameter bytes: at least as many as the numbers need.
    static func unpack(_ bytes: ModelSlice, bits: Int, count: Int, order: Order) -> [UInt8] {
        bytes.withBytes { raw in
            if bits == 8 { return Array(raw.prefix(count)) }
            return [UInt8](unsafeUninitializedCapacity: count) { result, initialised in
                for index in 0..<count {
                    var value: UInt8 = 0
                    for bit in 0..<bits {
                        let position = index * bits + bit
                        switch order {
                        case .mostSignificantFirst:
                            value = value << 1 | raw[position >> 3] >> UInt8(7 - position & 7) & 1
                        case .leastSignificantFirst:
                            value |= (raw[position >> 3] >> UInt8(position & 7) & 1) << UInt8(bit)
                        }
                    }
                    result[index] = value
                }
                initialised = count
            }
        }
    }
}
